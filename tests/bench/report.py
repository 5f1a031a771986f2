#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is done with the numbers of the benchmark.

    report.py page PROGRAM PAGE [--quick] [WORD]...   runs it; writes tables and plots of the page
    report.py guard PROGRAM PAGE [SCENE]...     fails if a ratio is 5 % below that of the page
    report.py against SINEW OTHER [MODEL]...    processor time of two builds of the command

PROGRAM is build/release/tests/bench, PAGE docs/performance.md. A WORD is a scene, a file, a folder
of models, or one of stages, threads and scaling; without any, all scenes and these three.
"""
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

TOLERATED = 0.95   # of the ratio on the page
TRIES = 3          # of a scene that seems to be slower: the machine may have been busy
ROUNDS = 7
SECONDS = 0.5      # of a run against another build

MODELS = '/usr/share/mujoco/model/'
DEFAULTS = ['humanoid/humanoid', 'humanoid/22_humanoids', 'humanoid100/humanoid100',
            'composite/cloth', 'composite/loop', 'composite/particle', 'composite/softbox',
            'flag/flag', 'hammock/hammock', 'slider_crank/slider_crank', 'tendon_arm/arm26']


def measure(program, words, key='scenes'):
    out = subprocess.run([program, '--json', *words], stdout=subprocess.PIPE, text=True).stdout
    return json.loads(out)[key]


def number(x):
    return f'{x:.0f}' if x >= 100 else f'{x:.3g}'


# ---------------------------------------------------------------------------- the page

HEAD = ('| scene | nv | steps | contacts | rows | iterations | steps/s | MuJoCo 2.2.2 | ratio '
        '| range | difference |\n|---|---|---|---|---|---|---|---|---|---|---|\n')


def both(pair):
    a, b = map(number, pair)
    return a if a == b else f'{a} / {b}'


def row(s):
    ours, theirs = s['steps_per_second']
    low, high = s['range']
    return (f"| {s['scene']} | {s['nv']} | {s['steps']} | {both(s['contacts'])} | "
            f"{both(s['rows'])} | {both(s['iterations'])} | "
            f"{ours:.0f} | {theirs:.0f} | **{s['ratio']:.2f}** | "
            f"{low:.2f} to {high:.2f} | {s['position_difference']:.0e} |\n")


def mean(scenes):
    return math.exp(statistics.fmean(math.log(s['ratio']) for s in scenes))


def replace_table(text, group, table, image=None):
    """Where the page has no place for a table, such as that of a folder, the table is printed."""
    mark = f'<!-- bench {group} -->'
    if mark not in text:
        print(f'{group}\n\n{table}')
    if image:
        table = f'![{image}](performance/{group}.svg)\n\n{table}'
    pattern = re.escape(mark) + r'\n(\n!\[.*\n)?(\n(\|.*\n)+)?(\nGeometric mean.*\n)?'
    return re.sub(pattern, lambda _: f'{mark}\n\n{table}', text)


def draw(commands, path):
    style = f"""
set terminal svg size 760,420 dynamic noenhanced font 'sans-serif,12' background '#ffffff'
set output '{path}'
set style fill solid 0.6
set grid ytics
"""
    subprocess.run(['gnuplot'], input=style + commands, text=True, check=True)


def plot(scenes, path):
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, 'ratios')
        with open(data, 'w') as f:
            for s in scenes:
                f.write(f"\"{s['scene']}\" {s['ratio']} {s['range'][0]} {s['range'][1]}\n")
        draw(f"""
set logscale y 2
set ylabel 'steps per second, MuJoCo 2.2.2 = 1'
set xtics rotate by -45
set boxwidth 0.7
unset key
plot '{data}' using 0:2:xtic(1) with boxes linecolor '#4477aa', '' using 0:2:3:4 with yerrorbars \\
  linecolor '#222222' pointsize 0, 1 linecolor '#aa3333'
""", path)


# what is one column, by the names in sinew/timing.h; the last has all others
COLUMNS = {
    'kinematics': ('kinematics', 'com', 'camlight', 'tendon', 'transmission'),
    'inertia': ('inertia', 'factor'),
    'broad phase': ('broadphase',),
    'narrow phase': ('narrowphase', 'collide'),
    'rows': ('constraint', 'island', 'reference'),
    'velocities': ('velocity', 'comvel', 'passive', 'rne'),
    'forces': ('control', 'actuation', 'smooth'),
    'solver': ('solve', 'postsolve'),
    'integrator': ('integrate',),
    'other': (),
}


def shares(stages):
    parts = {column: sum(stages[name] for name in names) for column, names in COLUMNS.items()}
    parts['other'] = 1 - sum(parts.values())
    return parts


def write_stages(text, scenes, folder):
    table = ('| scene | step, µs | ' + ' | '.join(COLUMNS) + ' |\n' +
             '|---' * (len(COLUMNS) + 2) + '|\n')
    with tempfile.TemporaryDirectory() as temporary:
        data = os.path.join(temporary, 'stages')
        with open(data, 'w') as f:
            for s in scenes:
                parts = shares(s['stages'])
                table += (f"| {s['scene']} | {number(1e6 * s['seconds'])} | " +
                          ' | '.join(f'{100 * x:.0f} %' for x in parts.values()) + ' |\n')
                f.write(f"\"{s['scene']}\" " +
                        ' '.join(f'{100 * x:.2f}' for x in parts.values()) + '\n')
        bars = ', '.join(f"'{data}' using {k + 2}:xtic(1) title '{name}'"
                         for k, name in enumerate(COLUMNS))
        draw(f"""
set style data histograms
set style histogram rowstacked
set boxwidth 0.8
set yrange [0:100]
set ylabel 'part of a step, %'
set xtics rotate by -60
set key outside right
plot {bars}
""", os.path.join(folder, 'stages.svg'))
    return replace_table(text, 'stages', table, 'Stages')


def write_threads(text, scenes):
    table = ('| scene | one thread, ms | two threads, ms | gain | two simulations | same bits |\n'
             '|---|---|---|---|---|---|\n')
    for s in scenes:
        one, two = (f'{1e3 * x:.3f}' for x in s['seconds'])
        same = 'yes' if s['same'] else 'no'
        table += (f"| {s['scene']} | {one} | {two} | {s['gain']:.2f} | {s['two_simulations']:.2f} "
                  f"| {same} |\n")
    return replace_table(text, 'threads', table)


def write_scaling(text, series, folder):
    table = ('| series | what | n: µs a step | exponent | target |\n|---|---|---|---|---|\n')
    with tempfile.TemporaryDirectory() as temporary:
        lines = []
        for s in series:
            data = os.path.join(temporary, s['series'])
            with open(data, 'w') as f:
                f.writelines(f'{n} {1e6 * seconds}\n' for n, _, seconds in s['points'])
            lines.append(f"'{data}' with linespoints title '{s['series']}'")
            points = ', '.join(f'{n}: {number(1e6 * x)}' for n, _, x in s['points'])
            table += (f"| {s['series']} | {s['what']} | {points} | {s['exponent']:.2f} | "
                      f"{s['target']:.2f} |\n")
        draw(f"""
set logscale xy
set xlabel 'n'
set ylabel 'microseconds a step'
set key left top
plot {', '.join(lines)}
""", os.path.join(folder, 'scaling.svg'))
    return replace_table(text, 'scaling', table, 'Growth')


def write_scenes(text, measured, folder):
    for group in sorted({s['group'] for s in measured}):
        chosen = [s for s in measured if s['group'] == group]
        table = HEAD + ''.join(map(row, chosen))
        if len(chosen) > 1:
            table += f'\nGeometric mean of the ratios: {mean(chosen):.2f}.\n'
        text = replace_table(text, group, table, 'Ratios')
        if group != 'files':
            plot(chosen, os.path.join(folder, f'{group}.svg'))
    return text


def write_page(program, page, words):
    options = [w for w in words if w.startswith('--')]
    others = [w for w in words if w in ('stages', 'threads', 'scaling')]
    scenes = [w for w in words if w not in options and w not in others]
    with open(page) as f:
        text = f.read()
    folder = os.path.splitext(page)[0]
    os.makedirs(folder, exist_ok=True)
    if scenes or not others:
        text = write_scenes(text, measure(program, options + scenes), folder)
    is_all = not scenes and not others
    if is_all or 'stages' in others:
        stages = measure(program, [*options, 'stages'], 'stages')
        text = write_stages(text, stages, folder)
    if is_all or 'threads' in others:
        text = write_threads(text, measure(program, [*options, 'threads'], 'threads'))
    if is_all or 'scaling' in others:
        series = measure(program, [*options, 'scaling'], 'scaling')
        text = write_scaling(text, series, folder)
    with open(page, 'w') as f:
        f.write(text)


# ---------------------------------------------------------------------------- the guard

def recorded(page):
    with open(page) as f:
        return {m[1]: float(m[2])
                for m in re.finditer(r'^\| ([^|]+?) \|.*\| \*\*([\d.]+)\*\* \|', f.read(), re.M)}


def guard(program, page, chosen):
    slower = 0
    known = recorded(page)
    for scene in chosen:
        if scene not in known:
            sys.exit(f'{page} has no scene {scene}')
    for scene, ratio in known.items():
        if chosen and scene not in chosen:
            continue
        best = 0
        for _ in range(TRIES):
            best = max(best, max((s['ratio'] for s in measure(program, [scene])), default=0))
            if best >= TOLERATED * ratio:
                break
        is_slower = best < TOLERATED * ratio
        slower += is_slower
        print(f"{scene:18} {ratio:6.2f} {best:6.2f}{'   slower' if is_slower else ''}", flush=True)
    return slower


# ---------------------------------------------------------------------------- another build

def processor_time(command, model, steps):
    """of `sinew run`, with its start"""
    actions = [(os.POSIX_SPAWN_OPEN, k, os.devnull, os.O_WRONLY, 0) for k in (1, 2)]
    words = [command, 'run', model, '--steps', str(steps), '-q']
    process = os.posix_spawn(command, words, os.environ, file_actions=actions)
    _, status, used = os.wait4(process, 0)
    if status:
        sys.exit(f'{" ".join(words)} fails')
    return used.ru_utime + used.ru_stime


def choose_steps(command, model):
    start, steps = processor_time(command, model, 1), 16
    while True:
        time = processor_time(command, model, steps) - start
        if time > SECONDS / 4 or steps > 1e6:
            return max(1, round(steps * SECONDS / max(time, 1e-3)))
        steps *= 4


def against(command, other, models):
    print(f"{'model':24} {'steps':>8} {'this, s':>9} {'other, s':>9} {'other/this':>10}  range")
    for model in models or [f'{MODELS}{name}.xml' for name in DEFAULTS]:
        steps = choose_steps(command, model)
        idle = [min(processor_time(c, model, 1) for _ in range(3)) for c in (command, other)]
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(processor_time(command, model, steps) - idle[0])
            theirs.append(processor_time(other, model, steps) - idle[1])
        ratio = [y / x for x, y in zip(ours, theirs)]
        print(f'{os.path.basename(model):24} {steps:8} {statistics.median(ours):9.3f} '
              f'{statistics.median(theirs):9.3f} {statistics.median(ratio):10.3f}  '
              f'{min(ratio):.2f} to {max(ratio):.2f}', flush=True)


def main(words):
    if len(words) >= 3 and words[0] == 'page':
        write_page(words[1], words[2], words[3:])
    elif len(words) >= 3 and words[0] == 'guard':
        return 1 if guard(words[1], words[2], words[3:]) else 0
    elif len(words) >= 3 and words[0] == 'against':
        against(words[1], words[2], words[3:])
    else:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
