// The free camera looks at a point from a distance: left button turns it, right button moves the
// point, the wheel changes the distance; one and two fingers do the same.

class Orbit {
  constructor(canvas, look, changed) {
    this.changed = changed;
    this.home = () => {
      this.target = new THREE.Vector3(...look.center);
      this.distance = 1.5 * look.extent;
      this.azimuth = look.azimuth * Math.PI / 180;
      this.elevation = look.elevation * Math.PI / 180;
    };
    this.home();
    this.pointers = new Map();
    canvas.addEventListener("pointerdown", e => this.down(canvas, e));
    canvas.addEventListener("pointermove", e => this.move(canvas, e));
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, e => this.pointers.delete(e.pointerId));
    }
    canvas.addEventListener("contextmenu", e => e.preventDefault());
    canvas.addEventListener("wheel", e => {
      e.preventDefault();
      this.zoom(Math.exp(0.001 * e.deltaY));
    }, { passive: false });
  }

  down(canvas, e) {
    canvas.focus();
    canvas.setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, [e.clientX, e.clientY]);
  }

  move(canvas, e) {
    const last = this.pointers.get(e.pointerId);
    if (!last) { return; }
    const dx = (e.clientX - last[0]) / canvas.clientHeight;
    const dy = (e.clientY - last[1]) / canvas.clientHeight;
    if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([id]) => id !== e.pointerId)[1];
      const before = Math.hypot(last[0] - other[0], last[1] - other[1]);
      const after = Math.hypot(e.clientX - other[0], e.clientY - other[1]);
      this.zoom(before / Math.max(after, 1));
      this.pan(dx / 2, dy / 2);
    } else if (e.buttons & 2 || e.shiftKey) {
      this.pan(dx, dy);
    } else if (e.buttons & 4) {
      this.zoom(Math.exp(2 * dy));
    } else {
      this.azimuth -= Math.PI * dx;
      this.elevation = Math.max(-1.55, Math.min(1.55, this.elevation - Math.PI * dy));
    }
    this.pointers.set(e.pointerId, [e.clientX, e.clientY]);
    this.changed();
  }

  zoom(factor) {
    this.distance *= factor;
    this.changed();
  }

  // Unit vector in which the camera looks.
  forward() {
    const flat = Math.cos(this.elevation);
    return new THREE.Vector3(flat * Math.cos(this.azimuth), flat * Math.sin(this.azimuth),
      Math.sin(this.elevation));
  }

  pan(dx, dy) {
    const forward = this.forward(), right = new THREE.Vector3(forward.y, -forward.x, 0).normalize();
    const up = new THREE.Vector3().crossVectors(right, forward);
    this.target.addScaledVector(right, -this.distance * dx).addScaledVector(up, this.distance * dy);
  }

  apply(camera) {
    camera.up.set(0, 0, 1);
    camera.position.copy(this.target).addScaledVector(this.forward(), -this.distance);
    camera.lookAt(this.target);
  }
}
