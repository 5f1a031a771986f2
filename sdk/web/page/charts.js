// Charts of numbers over time: energy, sensors, controls. The lines are drawn once, the mark at the
// present time with each frame.

const COLORS = ["#6cb2ff", "#ffb454", "#8ee08e", "#ff7b88", "#c79bff", "#5fd7d7"];

// What can be drawn: a name, and its columns of a row.
function chartables(model) {
  const all = [{ name: "energy", unit: "J", columns: [1, 2], labels: ["potential", "kinetic"],
    total: true }];
  let at = 3;
  model.sensors.forEach((sensor, i) => {
    const columns = [...Array(sensor.dim).keys()].map(k => at + k);
    const labels = sensor.dim === 1 ? [""] : sensor.dim === 3 ? ["x", "y", "z"]
      : columns.map((_, k) => String(k));
    all.push({ name: sensor.name || `${sensor.type} ${i}`, unit: sensor.type, columns, labels });
    at += sensor.dim;
  });
  model.actuators.forEach((actuator, i) => {
    all.push({ name: `ctrl ${actuator.name || i}`, unit: "", columns: [at++], labels: [""] });
  });
  return all;
}

class Chart {
  constructor(parent, what, seek, remove) {
    this.what = what;
    this.box = document.createElement("div");
    this.box.className = "chart";
    const header = document.createElement("header"), title = document.createElement("span");
    const close = document.createElement("button");
    title.textContent = what.unit ? `${what.name} (${what.unit})` : what.name;
    close.textContent = "×";
    close.title = "remove";
    close.addEventListener("click", () => { this.box.remove(); remove(this); });
    header.append(title, close);
    this.canvas = document.createElement("canvas");
    this.legend = document.createElement("div");
    this.legend.className = "legend";
    this.box.append(header, this.canvas, this.legend);
    parent.append(this.box);
    const drag = e => {
      const box = this.canvas.getBoundingClientRect();
      seek(this.from + (this.to - this.from) * (e.clientX - box.left) / box.width);
    };
    this.canvas.addEventListener("pointerdown", e => {
      this.canvas.setPointerCapture(e.pointerId);
      drag(e);
    });
    this.canvas.addEventListener("pointermove", e => { if (e.buttons & 1) { drag(e); } });
  }

  lines(chunk) {
    const lines = this.what.columns.map((column, k) => ({ label: this.what.labels[k],
      value: i => chunk.rows[i * chunk.width + column] }));
    if (this.what.total) {
      const [first, second] = lines.map(line => line.value);
      lines.push({ label: "total", value: i => first(i) + second(i) });
    }
    return lines;
  }

  // The lines of all frames, on a canvas of their own.
  draw(chunk) {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    const still = document.createElement("canvas"), draw = still.getContext("2d");
    this.canvas.width = still.width = width;
    this.canvas.height = still.height = height;
    this.ratio = ratio;
    this.still = still;
    this.chunk = chunk;
    if (!chunk.n) { return; }
    this.from = chunk.time(0);
    this.to = Math.max(chunk.time(chunk.n - 1), this.from + 1e-9);
    const lines = this.lines(chunk);
    let low = Infinity, high = -Infinity;
    for (const line of lines) {
      for (let i = 0; i < chunk.n; i++) {
        const y = line.value(i);
        if (isFinite(y)) { low = Math.min(low, y); high = Math.max(high, y); }
      }
    }
    const pad = 0.06 * (high - low) || 0.5 * Math.abs(high) || 1;
    const ofY = y => height * (1 - (y - low + pad) / (high - low + 2 * pad));
    draw.lineWidth = 1.3 * ratio;
    lines.forEach((line, k) => {
      draw.strokeStyle = COLORS[k % COLORS.length];
      draw.beginPath();
      for (let i = 0; i < chunk.n; i++) {
        draw.lineTo(width * (chunk.time(i) - this.from) / (this.to - this.from), ofY(line.value(i)));
      }
      draw.stroke();
    });
    draw.fillStyle = "#9aa3ae";
    draw.font = `${10 * ratio}px sans-serif`;
    draw.fillText(high.toPrecision(4), 3 * ratio, 11 * ratio);
    draw.fillText(low.toPrecision(4), 3 * ratio, height - 4 * ratio);
  }

  mark(time, frame) {
    const draw = this.canvas.getContext("2d");
    if (!this.still || !this.chunk.n) { return; }
    draw.clearRect(0, 0, this.canvas.width, this.canvas.height);
    draw.drawImage(this.still, 0, 0);
    const last = Math.min(frame, this.chunk.n - 1);
    const x = this.canvas.width * (time - this.from) / (this.to - this.from);
    draw.fillStyle = "#ffffff";
    draw.fillRect(x, 0, this.ratio, this.canvas.height);
    this.legend.replaceChildren(...this.lines(this.chunk).map((line, k) => {
      const span = document.createElement("span");
      span.style.color = COLORS[k % COLORS.length];
      span.textContent = `${line.label} ${line.value(last).toPrecision(5)}`.trim();
      return span;
    }));
  }
}
