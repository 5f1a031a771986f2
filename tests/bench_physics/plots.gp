# SPDX-License-Identifier: Apache-2.0
#
# The plots of docs/accuracy.md, of the data that bench_physics writes:
#
#   gnuplot -e "data='FOLDER'; out='FOLDER'" plots.gp

set encoding utf8
set terminal svg size 760,420 dynamic noenhanced font 'sans-serif,13' background '#ffffff'
set datafile separator ','
set datafile missing 'nan'
set grid
set key outside right top
set style data linespoints

found(name) = system(sprintf("test -e '%s/%s.csv' && echo 1 || echo 0", data, name)) + 0

if (found('loops')) {
  set output out.'/loops.svg'
  set title "Andrews' mechanism: largest error of an angle after 30 ms"
  set logscale xy
  set format xy '10^{%T}'
  set termoption enhanced
  set xlabel 'time step, s'
  set ylabel 'rad'
  plot data.'/loops.csv' using 1:2 title 'soft, euler', \
       '' using 1:3 title 'soft, rk4', '' using 1:4 title 'stiff, euler', \
       '' using 1:5 title 'stiff, rk4', '' using 1:6 title 'exact, euler', \
       '' using 1:7 title 'exact, momentum', '' using 1:8 title 'exact, rk4'
  set output
}

if (found('top')) {
  set output out.'/top.svg'
  set title 'Heavy top: error of the angle after 1 s'
  set logscale xy
  set format xy '10^{%T}'
  set termoption enhanced
  set xlabel 'time step, s'
  set ylabel 'rad'
  plot data.'/top.csv' using 1:2 title 'rk4, mujoco-2.2', '' using 1:3 title 'rk4', \
       '' using 1:4 title 'momentum', '' using 1:5 title 'implicit', '' using 1:6 title 'euler'
  set output
}

do for [set = 1:2] {
  file = word('profile held_out', set)
  if (found(file.'0')) {
    set output out.'/'.word('solvers held_out', set).'.svg'
    set terminal svg size 760,760 dynamic noenhanced font 'sans-serif,13' background '#ffffff'
    set style data steps
    unset logscale
    set logscale x
    set format x '%g'
    set format y '%g'
    set yrange [0:1.05]
    set ylabel 'share of problems'
    set multiplot layout 3,1
    names = '1e-3 1e-6 1e-9'
    do for [i = 0:2] {
      set title 'Residual '.word(names, i + 1)
      set xlabel i == 2 ? 'time, over that of the fastest solver' : ''
      plot for [k = 2:words(solvers) + 1] data.'/'.file.i.'.csv' using 1:k \
           title word(solvers, k - 1) linewidth 2
    }
    unset multiplot
    set output
  }
}
