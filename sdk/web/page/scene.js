// The scene: nodes (bodies, cameras, lights) that are moved by the numbers of a frame, the shapes on
// them, tendons, skins, contact points and forces.

// ---------------------------------------------------------------- frames

// A chunk of frames, as web.h describes it.
class Chunk {
  constructor(buffer, offset = 0) {
    const [n, width, nodes, contacts, segments] = new Uint32Array(buffer.slice(offset, offset + 20));
    let at = offset + 24;
    const floats = count => {
      const out = new Float32Array(buffer.slice(at, at + 4 * count));
      at += 4 * count;
      return out;
    };
    this.n = n;
    this.width = width;
    this.nodes = nodes;
    this.rows = floats(n * width);
    this.positions = floats(n * nodes * 3);
    const counts = new Uint32Array(buffer.slice(at, at + 8 * n));
    at += 8 * n;
    this.contacts = floats(6 * contacts);
    this.segments = floats(7 * segments);
    this.rotations = new Int16Array(buffer.slice(at, at + 8 * n * nodes));
    this.end = at + 8 * n * nodes;
    // where the contacts and segments of each frame begin
    this.firstContact = new Uint32Array(n + 1);
    this.firstSegment = new Uint32Array(n + 1);
    for (let i = 0; i < n; i++) {
      this.firstContact[i + 1] = this.firstContact[i] + counts[2 * i];
      this.firstSegment[i + 1] = this.firstSegment[i] + counts[2 * i + 1];
    }
  }

  time(i) { return this.rows[i * this.width]; }

  // The frame at a time, or before it.
  find(time) {
    let low = 0, high = this.n - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time(middle) <= time) { low = middle; } else { high = middle - 1; }
    }
    return low;
  }
}

// ---------------------------------------------------------------- building

class Stage {
  constructor(model, changed) {
    this.model = model;
    this.scene = new THREE.Scene();
    this.shows = { geoms: true, sites: true, contacts: false, forces: false, frames: false,
      tendons: true, skins: true, translucent: false, wireframe: false, shadows: true };
    this.groups = [true, true, true, false, false, false];
    this.textures = loadTextures(model, changed);
    this.background(changed);
    this.bodies = model.bodies.map((body, i) => this.node(body, "body", i));
    this.cameras = model.cameras.map((camera, i) => this.node(camera, "camera", i));
    this.lights = model.lights.map((light, i) => this.node(light, "light", i));
    this.moving = [...this.bodies, ...this.cameras, ...this.lights].filter(n => n.userData.moves);
    this.shapes = [];
    model.geoms.forEach((geom, i) => this.add(geom, "geom", i));
    model.sites.forEach((site, i) => this.add({ ...site, data: -1 }, "site", i));
    this.skins = model.skins.map(skin => this.addSkin(skin));
    this.addLights();
    this.addDecoration();
    this.show();
  }

  node(element, kind, id) {
    const group = new THREE.Group(), p = element.pose;
    group.position.set(p[0], p[1], p[2]);
    group.quaternion.set(p[4], p[5], p[6], p[3]);
    group.userData = { kind, id, moves: element.moves, name: element.name || `${kind} ${id}` };
    this.scene.add(group);
    return group;
  }

  add(shape, kind, id) {
    const material = materialOf(shape, this.model, this.textures);
    if (material.userData.opacity === 0) { return; }
    const geometry = geometryOf(shape, this.model);
    if (material.map && !geometry.attributes.uv) { project(geometry); }
    const mesh = new THREE.Mesh(geometry, material);
    mesh.position.fromArray(shape.pos);
    mesh.quaternion.set(shape.quat[1], shape.quat[2], shape.quat[3], shape.quat[0]);
    mesh.castShadow = shape.type !== PLANE && material.userData.opacity === 1;
    mesh.receiveShadow = true;
    mesh.userData = { kind, id, group: Math.max(0, Math.min(5, shape.group)),
      body: shape.body, name: shape.name || `${kind} ${id}` };
    this.bodies[shape.body].add(mesh);
    this.shapes.push(mesh);
  }

  background(changed) {
    const sky = this.model.textures.findIndex(texture => texture.type === 2);
    this.scene.background = new THREE.Color(sky < 0 ? 0x39424e : 0x000000);
    if (sky < 0) { return; }
    const image = this.textures[sky].source;
    const build = () => {
      // the faces of a cube whose y axis points up, turned so that z does
      const materials = cubeFaces(image).map(face => {
        const map = new THREE.CanvasTexture(face);
        return new THREE.MeshBasicMaterial({ map, side: THREE.BackSide, depthWrite: false,
          depthTest: false });
      });
      this.sky = new THREE.Mesh(new THREE.BoxBufferGeometry(2, 2, 2), materials);
      this.sky.rotation.x = Math.PI / 2;
      this.sky.renderOrder = -1;
      this.sky.frustumCulled = false;
      this.scene.add(this.sky);
      changed();
    };
    if (image.complete && image.width) { build(); } else { image.addEventListener("load", build); }
  }

  addLights() {
    const look = this.model.look, ambient = new THREE.Color(0, 0, 0);
    this.headlight = new THREE.DirectionalLight(srgb(look.diffuse), look.headlight ? 1 : 0);
    this.scene.add(this.headlight, this.headlight.target);
    if (look.headlight) { ambient.add(srgb(look.ambient)); }
    this.model.lights.forEach((light, i) => {
      if (!light.active) { return; }
      ambient.add(srgb(light.ambient));
      const color = srgb(light.diffuse), angle = light.cutoff * Math.PI / 180;
      const lamp = light.directional ? new THREE.DirectionalLight(color)
        : angle > 1.57 ? new THREE.PointLight(color)
        : new THREE.SpotLight(color, 1, 0, Math.min(angle, 1.55), 0.5, 0);
      lamp.position.set(0, 0, 0);   // three.js places lamps above their node
      this.lights[i].add(lamp);
      if (lamp.target) {
        lamp.target.position.set(0, 0, -1);
        this.lights[i].add(lamp.target);
      }
      if (light.castshadow && lamp.shadow) { this.addShadow(lamp, light.directional); }
    });
    this.placeLamps();
    this.scene.add(new THREE.AmbientLight(ambient));
  }

  // The shadows of a directional light are those of a box around its lamp. Such a light is the same
  // everywhere: its lamp is put into the center of the model.
  placeLamps() {
    const center = new THREE.Vector3(), back = new THREE.Quaternion();
    for (const node of this.lights) {
      const lamp = node.children.find(child => child.isDirectionalLight);
      if (!lamp) { continue; }
      back.copy(node.quaternion).conjugate();
      center.fromArray(this.model.look.center).sub(node.position).applyQuaternion(back);
      lamp.position.copy(center);
      lamp.target.position.copy(center).setZ(center.z - 1);
    }
  }

  addShadow(lamp, directional) {
    const look = this.model.look, side = look.shadowclip * look.extent, camera = lamp.shadow.camera;
    lamp.castShadow = true;
    lamp.shadow.mapSize.set(2048, 2048);
    lamp.shadow.bias = -0.0005;
    if (directional) {
      camera.left = camera.bottom = -side;
      camera.right = camera.top = side;
      camera.far = look.extent + side;
      camera.near = -camera.far;
    } else {
      camera.near = 0.01 * look.extent;
      camera.far = 20 * look.extent;
    }
  }

  addDecoration() {
    const look = this.model.look, width = look.meansize * look.contactwidth;
    const disc = new THREE.CylinderBufferGeometry(width, width, 2 * look.meansize *
      look.contactheight, 16);
    const arrow = new THREE.CylinderBufferGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
    const paint = rgba => new THREE.MeshPhongMaterial({ color: srgb(rgba), transparent: rgba[3] < 1,
      opacity: rgba[3] });
    this.contactPool = new Pool(this.scene, disc, paint(look.contactpoint));
    this.forcePool = new Pool(this.scene, arrow, paint(look.contactforce));
    this.tendonPools = this.model.tendons.map(tendon => {
      const material = materialOf({ ...tendon, type: CYLINDER, size: [1, 1, 1] }, this.model,
        this.textures);
      material.map = null;
      return new Pool(this.scene, arrow, material);
    });
    this.axes = this.bodies.map(body => {
      const axes = new THREE.AxesHelper(look.meansize * 2);
      body.add(axes);
      return axes;
    });
  }

  // ---------------------------------------------------------------- skins

  addSkin(skin) {
    const geometry = triangles(skin), rest = geometry.attributes.position.array.slice();
    const shape = { ...skin, type: MESH, size: [1, 1, 1] };
    const mesh = new THREE.Mesh(geometry, materialOf(shape, this.model, this.textures));
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.userData = { kind: "skin", group: Math.max(0, Math.min(5, skin.group)), name: skin.name };
    const bones = skin.bones.map(bone => ({
      body: bone.body,
      inverse: new THREE.Matrix4().getInverse(new THREE.Matrix4().compose(
        new THREE.Vector3(...bone.pos),
        new THREE.Quaternion(bone.quat[1], bone.quat[2], bone.quat[3], bone.quat[0]),
        new THREE.Vector3(1, 1, 1))),
      vertex: indicesOf(bone.vertex, skin.vertices),
      weight: new Float32Array(bytesOf(bone.weight)),
    }));
    this.scene.add(mesh);
    return { mesh, rest, bones, inflate: skin.inflate };
  }

  // Each vertex is the weighted mean of where its bones would carry it.
  bend(skin) {
    const position = skin.mesh.geometry.attributes.position, out = position.array;
    const total = new Float32Array(position.count), matrix = new THREE.Matrix4();
    const point = new THREE.Vector3();
    out.fill(0);
    for (const bone of skin.bones) {
      this.bodies[bone.body].updateMatrix();
      matrix.multiplyMatrices(this.bodies[bone.body].matrix, bone.inverse);
      for (let i = 0; i < bone.vertex.length; i++) {
        const v = bone.vertex[i], w = bone.weight[i];
        point.fromArray(skin.rest, 3 * v).applyMatrix4(matrix);
        out[3 * v] += w * point.x;
        out[3 * v + 1] += w * point.y;
        out[3 * v + 2] += w * point.z;
        total[v] += w;
      }
    }
    for (let v = 0; v < position.count; v++) {
      const w = total[v] || 1;
      out[3 * v] /= w;
      out[3 * v + 1] /= w;
      out[3 * v + 2] /= w;
    }
    position.needsUpdate = true;
    skin.mesh.geometry.computeVertexNormals();
    if (skin.inflate) {
      const normal = skin.mesh.geometry.attributes.normal.array;
      for (let i = 0; i < out.length; i++) { out[i] += skin.inflate * normal[i]; }
    }
  }

  // ---------------------------------------------------------------- moving

  // Between frame i and the next one, at the part `a` of the way.
  pose(chunk, i, a) {
    const next = Math.min(i + 1, chunk.n - 1), p = new THREE.Vector3(), q = new THREE.Quaternion();
    this.moving.forEach((node, k) => {
      const from = i * chunk.nodes + k, to = next * chunk.nodes + k, r = chunk.rotations;
      node.position.fromArray(chunk.positions, 3 * from)
        .lerp(p.fromArray(chunk.positions, 3 * to), a);
      node.quaternion.set(r[4 * from + 1], r[4 * from + 2], r[4 * from + 3], r[4 * from]).normalize();
      q.set(r[4 * to + 1], r[4 * to + 2], r[4 * to + 3], r[4 * to]).normalize();
      node.quaternion.slerp(q, a);
    });
    const nearest = a > 0.5 ? next : i;
    this.placeLamps();
    this.poseContacts(chunk, nearest);
    this.poseTendons(chunk, nearest);
    if (this.shows.skins) { this.skins.forEach(skin => this.bend(skin)); }
  }

  poseContacts(chunk, i) {
    const look = this.model.look, scale = look.force / Math.max(look.meanmass, 1e-9);
    const point = new THREE.Vector3(), force = new THREE.Vector3(), up = new THREE.Vector3();
    this.contactPool.begin();
    this.forcePool.begin();
    for (let k = chunk.firstContact[i]; k < chunk.firstContact[i + 1]; k++) {
      point.fromArray(chunk.contacts, 6 * k);
      force.fromArray(chunk.contacts, 6 * k + 3);
      up.copy(force);
      if (up.lengthSq() === 0) { up.set(0, 0, 1); }
      if (this.shows.contacts) { this.contactPool.put(point, up.normalize(), 1, 1); }
      if (this.shows.forces) {
        this.forcePool.put(point, up.copy(force).normalize(), look.forcewidth * look.meansize,
          scale * force.length());
      }
    }
    this.contactPool.end();
    this.forcePool.end();
  }

  poseTendons(chunk, i) {
    const from = new THREE.Vector3(), to = new THREE.Vector3();
    this.tendonPools.forEach(pool => pool.begin());
    for (let k = chunk.firstSegment[i]; this.shows.tendons && k < chunk.firstSegment[i + 1]; k++) {
      const t = chunk.segments[7 * k];
      if (!this.groups[Math.max(0, Math.min(5, this.model.tendons[t].group))]) { continue; }
      from.fromArray(chunk.segments, 7 * k + 1);
      to.fromArray(chunk.segments, 7 * k + 4).sub(from);
      const length = to.length();
      if (length > 0) {
        this.tendonPools[t].put(from, to.divideScalar(length), this.model.tendons[t].width, length);
      }
    }
    this.tendonPools.forEach(pool => pool.end());
  }

  // After `shows` or `groups` changed.
  show() {
    for (const mesh of this.shapes) {
      const { kind, group } = mesh.userData, opacity = mesh.material.userData.opacity;
      const dim = this.shows.translucent && this.model.bodies[mesh.userData.body].moves;
      mesh.visible = this.groups[group] && this.shows[kind + "s"];
      mesh.material.opacity = dim ? 0.35 * opacity : opacity;
      mesh.material.transparent = mesh.material.opacity < 1;
      mesh.material.depthWrite = mesh.material.opacity >= 1;
      mesh.material.wireframe = this.shows.wireframe;
    }
    this.skins.forEach(skin => {
      skin.mesh.visible = this.shows.skins && this.groups[skin.mesh.userData.group];
      skin.mesh.material.wireframe = this.shows.wireframe;
    });
    this.axes.forEach(axes => { axes.visible = this.shows.frames; });
    this.lights.forEach(node => node.children.forEach(lamp => {
      if (lamp.shadow) {
        lamp.castShadow = this.shows.shadows && this.model.lights[node.userData.id].castshadow;
      }
    }));
  }
}

// Copies of one shape, as many as a frame needs.
class Pool {
  constructor(scene, geometry, material) {
    Object.assign(this, { scene, geometry, material, all: [], used: 0 });
  }

  begin() { this.used = 0; }

  // From a point along a direction, which is the y axis of the shape.
  put(point, direction, width, length) {
    if (this.used === this.all.length) {
      const mesh = new THREE.Mesh(this.geometry, this.material);
      this.scene.add(mesh);
      this.all.push(mesh);
    }
    const mesh = this.all[this.used++];
    mesh.visible = true;
    mesh.position.copy(point);
    mesh.quaternion.setFromUnitVectors(Pool.up, direction);
    mesh.scale.set(width, length, width);
  }

  end() {
    for (let i = this.used; i < this.all.length; i++) { this.all[i].visible = false; }
  }
}
Pool.up = new THREE.Vector3(0, 1, 0);
