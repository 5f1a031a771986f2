// The player: time, the window, keys, the panel.

const at = id => document.getElementById(id);

class Player {
  constructor() {
    this.model = JSON.parse(at("model").textContent);
    const frames = at("frames").textContent;
    this.chunk = frames ? new Chunk(bytesOf(frames)) : null;
    this.canvas = at("view");
    // WebGL 2 where there is one: its textures may have any size
    const attributes = { antialias: true, preserveDrawingBuffer: true };
    const context = this.canvas.getContext("webgl2", attributes) || undefined;
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, context, ...attributes });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.dirty = true;
    const changed = () => { this.dirty = true; };
    this.stage = new Stage(this.model, changed);
    this.orbit = new Orbit(this.canvas, this.model.look, changed);
    this.camera = new THREE.PerspectiveCamera();
    this.time = this.first();
    this.frame = 0;
    this.playing = false;
    this.speed = 1;
    this.charts = [];
    this.fill();
    this.listen();
    if (this.model.live) {
      this.live = new Live(this.model.live, this.model, chunk => this.arrive(chunk),
        text => this.say(text));
      this.live.controls(at("live"));
      this.history = [];
      for (const id of ["play", "back", "forward", "scrub", "speed"]) { at(id).disabled = true; }
      at("loop").parentElement.hidden = true;
    }
    this.resize();
    this.seek(this.time);
    this.addChart(0);
    requestAnimationFrame(now => this.tick(now));
  }

  first() { return this.chunk ? this.chunk.time(0) : 0; }
  last() { return this.chunk ? this.chunk.time(this.chunk.n - 1) : 0; }

  say(text) {
    at("message").textContent = text;
    at("message").hidden = !text;
  }

  // ---------------------------------------------------------------- time

  seek(time) {
    if (!this.chunk) { return; }
    this.time = Math.max(this.first(), Math.min(this.last(), time));
    const i = this.chunk.find(this.time), next = Math.min(i + 1, this.chunk.n - 1);
    const span = this.chunk.time(next) - this.chunk.time(i);
    const before = this.followed();
    this.frame = i;
    this.stage.pose(this.chunk, i, span > 0 ? Math.min(1, (this.time - this.chunk.time(i)) / span) : 0);
    this.follow(before);
    at("scrub").value = this.time;
    at("time").textContent = this.model.live ? `${this.time.toFixed(2)} s`
      : `${this.time.toFixed(2)} / ${this.last().toFixed(2)} s`;
    this.dirty = true;
  }

  // A frame of a simulation that goes on; the charts keep the last ones.
  arrive(chunk) {
    const keep = 600, width = chunk.width;
    if (this.history.length && chunk.time(0) < this.history[this.history.length - 1][0]) {
      this.history = [];
    }
    this.history.push(chunk.rows.slice(0, width));
    if (this.history.length > keep) { this.history.shift(); }
    this.chunk = chunk;
    this.seek(chunk.time(0));
    if (this.history.length % 6 === 0 || this.history.length < 6) { this.drawCharts(); }
  }

  play(on) {
    this.playing = on;
    if (on && this.time >= this.last()) { this.seek(this.first()); }
    at("play").textContent = on ? "❚❚" : "▶";
  }

  step(n) {
    this.play(false);
    const i = Math.max(0, Math.min(this.chunk.n - 1, this.chunk.find(this.time + 1e-6) + n));
    this.seek(this.chunk.time(i));
  }

  tick(now) {
    const passed = Math.min(0.1, (now - (this.now || now)) / 1000);
    this.now = now;
    if (this.playing && this.chunk) {
      const next = this.time + this.speed * passed;
      if (next >= this.last() && !at("loop").checked) {
        this.seek(this.last());
        this.play(false);
      } else {
        this.seek(next > this.last() ? this.first() : next);
      }
    }
    if (this.dirty) { this.draw(); }
    requestAnimationFrame(later => this.tick(later));
  }

  // ---------------------------------------------------------------- the image

  followed() {
    const body = Number(at("follow").value);
    return body >= 0 ? this.stage.bodies[body].position.clone() : null;
  }

  follow(before) {
    const now = before && this.followed();
    if (now) { this.orbit.target.add(now.sub(before)); }
  }

  resize() {
    const width = Math.max(1, this.canvas.clientWidth), height = Math.max(1, this.canvas.clientHeight);
    this.renderer.setPixelRatio(window.devicePixelRatio || 1);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.drawCharts();
    this.dirty = true;
  }

  // Hides or shows the panel.
  widen() {
    document.body.classList.toggle("wide");
    this.resize();
  }

  place() {
    const look = this.model.look, fixed = Number(at("camera").value), camera = this.camera;
    camera.near = look.near * look.extent;
    camera.far = Math.max(look.far, 50) * look.extent;
    camera.fov = fixed >= 0 ? this.model.cameras[fixed].fovy : look.fovy;
    if (fixed >= 0) {
      camera.position.copy(this.stage.cameras[fixed].position);
      camera.quaternion.copy(this.stage.cameras[fixed].quaternion);
    } else {
      this.orbit.apply(camera);
    }
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    const light = this.stage.headlight;
    light.position.copy(camera.position);
    camera.getWorldDirection(light.target.position).add(camera.position);
    if (this.stage.sky) {
      this.stage.sky.position.copy(camera.position);
      this.stage.sky.scale.setScalar(10 * camera.near);
    }
  }

  draw() {
    this.dirty = false;
    this.place();
    this.renderer.render(this.stage.scene, this.camera);
    this.charts.forEach(chart => chart.mark(this.time, this.model.live ? this.history.length - 1
      : this.frame));
  }

  drawCharts() {
    if (!this.chunk) { return; }
    const width = this.chunk.width, rows = this.model.live && joinRows(this.history, width);
    const chunk = rows ? { n: this.history.length, width, rows, time: i => rows[i * width] }
      : this.chunk;
    this.charts.forEach(chart => chart.draw(chunk));
  }

  addChart(index) {
    const what = chartables(this.model)[index];
    this.charts.push(new Chart(at("charts"), what, time => this.seek(time),
      gone => { this.charts = this.charts.filter(chart => chart !== gone); }));
    this.drawCharts();
    this.dirty = true;
  }

  // ---------------------------------------------------------------- selecting

  select(e) {
    const box = this.canvas.getBoundingClientRect(), ray = new THREE.Raycaster();
    ray.setFromCamera({ x: 2 * (e.clientX - box.left) / box.width - 1,
      y: 1 - 2 * (e.clientY - box.top) / box.height }, this.camera);
    const hit = ray.intersectObjects(this.stage.shapes.filter(mesh => mesh.visible))[0];
    if (this.marked) { this.marked.material.emissive.copy(this.unmarked); }
    this.marked = hit ? hit.object : null;
    at("about-selected").hidden = !hit;
    if (hit) {
      const { kind, name, body } = hit.object.userData, point = hit.point.toArray();
      this.unmarked = hit.object.material.emissive.clone();
      hit.object.material.emissive.offsetHSL(0, 0, 0.18);
      at("selected").textContent = `${kind}  ${name}\nbody  ${this.stage.bodies[body].userData.name}\n` +
        `mass  ${this.model.bodies[body].mass.toPrecision(4)} kg\n` +
        `point ${point.map(x => x.toFixed(3)).join(" ")} m`;
      this.selectedBody = body;
    }
    this.dirty = true;
  }

  // ---------------------------------------------------------------- the panel

  fill() {
    const option = (parent, value, text) => {
      const out = document.createElement("option");
      out.value = value;
      out.textContent = text;
      at(parent).append(out);
    };
    option("camera", -1, "free");
    this.model.cameras.forEach((camera, i) => option("camera", i, camera.name || `camera ${i}`));
    option("follow", -1, "nothing");
    this.model.bodies.forEach((body, i) => {
      if (body.moves) { option("follow", i, body.name || `body ${i}`); }
    });
    option("add", "", "...");
    chartables(this.model).forEach((what, i) => option("add", i, what.name));
    const check = (parent, name, on, change) => {
      const label = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox";
      box.checked = on;
      box.name = name;
      box.addEventListener("change", () => {
        change(box.checked);
        this.stage.show();
        this.seek(this.time);
      });
      label.append(box, " " + name);
      at(parent).append(label);
    };
    for (const name of Object.keys(this.stage.shows)) {
      check("shows", name, this.stage.shows[name], on => { this.stage.shows[name] = on; });
    }
    this.stage.groups.forEach((on, i) => {
      check("groups", `group ${i}`, on, value => { this.stage.groups[i] = value; });
    });
    at("scrub").min = this.first();
    at("scrub").max = this.last();
    at("keys").textContent = KEYS.map(([key, , meaning]) => `${key.padEnd(10)}${meaning}`).join("\n") +
      "\n\nleft drag   turn\nright drag  move\nwheel       zoom\ndouble      select; Ctrl: follow";
  }

  toggle(name) {
    const box = document.querySelector(`#shows input[name="${name}"]`);
    box.checked = !box.checked;
    box.dispatchEvent(new Event("change"));
  }

  listen() {
    window.addEventListener("resize", () => this.resize());
    at("play").addEventListener("click", () => this.play(!this.playing));
    at("back").addEventListener("click", () => this.step(-1));
    at("forward").addEventListener("click", () => this.step(1));
    at("scrub").addEventListener("input", () => { this.play(false); this.seek(Number(at("scrub").value)); });
    at("speed").addEventListener("change", () => { this.speed = Number(at("speed").value); });
    at("hide").addEventListener("click", () => this.widen());
    at("camera").addEventListener("change", () => { this.dirty = true; });
    at("add").addEventListener("change", () => {
      if (at("add").value) { this.addChart(Number(at("add").value)); }
      at("add").value = "";
    });
    this.canvas.addEventListener("dblclick", e => {
      this.select(e);
      if (e.ctrlKey && this.marked) {
        at("follow").value = this.model.bodies[this.selectedBody].moves ? this.selectedBody : -1;
      }
    });
    window.addEventListener("keydown", e => {
      if (["SELECT", "INPUT"].includes(e.target.tagName) && e.key !== "Escape") { return; }
      const found = KEYS.find(([key]) => key === (e.key === " " ? "space" : e.key));
      if (found && !e.ctrlKey && !e.metaKey && !e.altKey) {
        e.preventDefault();
        found[1](this);
      }
    });
  }
}

function joinRows(rows, width) {
  const out = new Float32Array(rows.length * width);
  rows.forEach((row, i) => out.set(row, i * width));
  return out;
}

// the key, what it does, its meaning
const KEYS = [
  ["space", p => p.live ? p.live.send({ pause: "toggle" }) : p.play(!p.playing), "play, pause"],
  ["ArrowLeft", p => p.live || p.step(-1), "one frame back"],
  ["ArrowRight", p => p.live ? p.live.send({ step: 1 }) : p.step(1), "one frame on"],
  ["Home", p => p.live ? p.live.send({ reset: "start" }) : p.seek(p.first()), "to the start"],
  ["End", p => p.seek(p.last()), "to the end"],
  ["Escape", p => { at("camera").value = -1; p.orbit.home(); p.dirty = true; }, "the first view"],
  ["Tab", p => p.widen(), "the panel"],
  ["[", p => turn(p, -1), "the camera before"],
  ["]", p => turn(p, 1), "the next camera"],
  ["c", p => p.toggle("contacts"), "contact points"],
  ["f", p => p.toggle("forces"), "contact forces"],
  ["t", p => p.toggle("translucent"), "translucent bodies"],
  ["w", p => p.toggle("wireframe"), "wireframe"],
  ["s", p => p.toggle("shadows"), "shadows"],
  ["e", p => p.toggle("frames"), "frames of the bodies"],
];

// Through the free camera and those of the model.
function turn(player, by) {
  const n = player.model.cameras.length + 1, now = Number(at("camera").value) + 1;
  at("camera").value = (now + by + n) % n - 1;
  player.dirty = true;
}

window.addEventListener("load", () => {
  try {
    window.player = new Player();
  } catch (error) {
    at("message").textContent = "This page needs WebGL: " + error.message;
    at("message").hidden = false;
    throw error;
  }
});
