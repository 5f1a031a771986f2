// A simulation that runs on the server of `sinew view --web`: frames come as a stream of chunks,
// each after its length in bytes; what is pressed here is sent as small requests.

class Live {
  constructor(address, model, onFrame, onState) {
    Object.assign(this, { address, model, onFrame, onState });
    this.listen();
  }

  send(what) {
    return fetch(this.address + "do?" + new URLSearchParams(what), { method: "POST" })
      .catch(() => this.onState("the simulation does not answer any more"));
  }

  async listen() {
    try {
      const answer = await fetch(this.address + "frames"), reader = answer.body.getReader();
      let rest = new Uint8Array(0);
      for (;;) {
        const { done, value } = await reader.read();
        if (done) { break; }
        const joined = new Uint8Array(rest.length + value.length);
        joined.set(rest);
        joined.set(value, rest.length);
        rest = this.take(joined);
      }
      this.onState("the simulation has ended");
    } catch (error) {
      this.onState("the connection is lost: " + error.message);
    }
  }

  // Hands on the whole chunks of the bytes, and returns what is left.
  take(bytes) {
    let at = 0, last = null;
    for (;;) {
      if (bytes.length - at < 4) { break; }
      const n = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0, true);
      if (bytes.length - at < 4 + n) { break; }
      last = bytes.slice(at + 4, at + 4 + n).buffer;
      at += 4 + n;
    }
    if (last) { this.onFrame(new Chunk(last)); }
    return bytes.slice(at);
  }

  controls(parent) {
    const button = (text, what) => {
      const out = document.createElement("button");
      out.textContent = text;
      out.addEventListener("click", () => this.send(what));
      parent.append(out, " ");
    };
    button("run / pause", { pause: "toggle" });
    button("step", { step: 1 });
    button("reset", { reset: "start" });
    this.model.keys.forEach((key, i) => button(key || `keyframe ${i}`, { reset: i }));
    this.model.actuators.forEach((actuator, i) => {
      const row = document.createElement("label"), name = document.createElement("span");
      const slider = document.createElement("input"), [low, high] = actuator.range;
      row.className = "slider";
      name.textContent = name.title = actuator.name || `actuator ${i}`;
      slider.type = "range";
      slider.min = actuator.limited ? low : -1;
      slider.max = actuator.limited ? high : 1;
      slider.step = (slider.max - slider.min) / 200;
      slider.value = 0;
      slider.addEventListener("input", () => this.send({ ctrl: i, value: slider.value }));
      row.append(name, slider);
      parent.append(row);
    });
    parent.hidden = false;
  }
}
