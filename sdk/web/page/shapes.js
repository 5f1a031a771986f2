// Shapes and materials: from what the model says to objects of three.js. Lengths are in meters,
// z points up.

const PLANE = 0, HFIELD = 1, SPHERE = 2, CAPSULE = 3, ELLIPSOID = 4, CYLINDER = 5, BOX = 6,
  MESH = 7, USER = 8;

function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) { bytes[i] = text.charCodeAt(i); }
  return bytes.buffer;
}

function indicesOf(base64, vertices) {
  const buffer = bytesOf(base64);
  return vertices > 0xffff ? new Uint32Array(buffer) : new Uint16Array(buffer);
}

// ---------------------------------------------------------------- geometry

function capsule(radius, half) {
  const points = [], parts = 10;
  for (let i = -parts; i <= parts; i++) {
    const angle = i / parts * Math.PI / 2;
    if (i === 0) { points.push(new THREE.Vector2(radius, -half)); }
    points.push(new THREE.Vector2(Math.max(radius * Math.cos(angle), 1e-6 * radius),
      radius * Math.sin(angle) + (i < 0 ? -half : half)));
  }
  return new THREE.LatheBufferGeometry(points, 24).rotateX(Math.PI / 2);
}

function heightField(field) {
  const heights = new Float32Array(bytesOf(field.data)), [x, y, up, base] = field.size;
  const rows = field.rows, cols = field.cols, position = [], uv = [], index = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      position.push(x * (2 * c / (cols - 1) - 1), y * (2 * r / (rows - 1) - 1),
        up * heights[r * cols + c]);
      uv.push(c / (cols - 1), r / (rows - 1));
    }
  }
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c + 1 < cols; c++) {
      const k = r * cols + c;
      index.push(k, k + 1, k + cols, k + 1, k + cols + 1, k + cols);
    }
  }
  // the sides, down to the base
  const side = (k, next) => {
    const at = position.length / 3;
    for (const v of [k, next]) {
      position.push(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
      position.push(position[3 * v], position[3 * v + 1], -base);
      uv.push(uv[2 * v], uv[2 * v + 1], uv[2 * v], uv[2 * v + 1]);
    }
    index.push(at, at + 1, at + 2, at + 2, at + 1, at + 3);
  };
  for (let c = 0; c + 1 < cols; c++) {
    side(c, c + 1);
    side((rows - 1) * cols + c + 1, (rows - 1) * cols + c);
  }
  for (let r = 0; r + 1 < rows; r++) {
    side((r + 1) * cols, r * cols);
    side(r * cols + cols - 1, (r + 1) * cols + cols - 1);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
  geometry.setAttribute("uv", new THREE.Float32BufferAttribute(uv, 2));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

function triangles(mesh) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position",
    new THREE.BufferAttribute(new Float32Array(bytesOf(mesh.position)), 3));
  if (mesh.normal) {
    const stored = new THREE.InterleavedBuffer(new Int8Array(bytesOf(mesh.normal)), 4);
    geometry.setAttribute("normal", new THREE.InterleavedBufferAttribute(stored, 3, 0, true));
  }
  if (mesh.uv) {
    geometry.setAttribute("uv", new THREE.BufferAttribute(new Float32Array(bytesOf(mesh.uv)), 2));
  }
  geometry.setIndex(new THREE.BufferAttribute(indicesOf(mesh.face, mesh.vertices), 1));
  return geometry;
}

// Texture coordinates of a shape without its own: along x and y, from 0 to 1.
function project(geometry) {
  geometry.computeBoundingBox();
  const box = geometry.boundingBox, p = geometry.attributes.position, uv = [];
  const dx = Math.max(box.max.x - box.min.x, 1e-9), dy = Math.max(box.max.y - box.min.y, 1e-9);
  for (let i = 0; i < p.count; i++) {
    uv.push((p.getX(i) - box.min.x) / dx, (p.getY(i) - box.min.y) / dy);
  }
  geometry.setAttribute("uv", new THREE.Float32BufferAttribute(uv, 2));
}

// Half sizes of a plane; 0 of the model is without end: to far behind the horizon.
function planeSize(size, look) {
  const far = 20 * look.extent + 50;
  return [size[0] > 0 ? size[0] : far, size[1] > 0 ? size[1] : far];
}

function geometryOf(shape, model) {
  const [a, b, c] = shape.size;
  switch (shape.type) {
    case PLANE: {
      const [x, y] = planeSize(shape.size, model.look);
      return new THREE.PlaneBufferGeometry(2 * x, 2 * y);
    }
    case HFIELD: return heightField(model.hfields[shape.data]);
    case SPHERE: return new THREE.SphereBufferGeometry(a, 28, 20).rotateX(Math.PI / 2);
    case CAPSULE: return capsule(a, b);
    case ELLIPSOID:
      return new THREE.SphereBufferGeometry(1, 28, 20).rotateX(Math.PI / 2).scale(a, b, c);
    case CYLINDER: return new THREE.CylinderBufferGeometry(a, a, 2 * b, 28).rotateX(Math.PI / 2);
    case MESH: return triangles(model.meshes[shape.data]);
    case USER: return triangles(model.shapes[shape.data]);
    default: return new THREE.BoxBufferGeometry(2 * a, 2 * b, 2 * c);
  }
}

// ---------------------------------------------------------------- textures

// Images decode in the background; `ready` is called when one has come.
function loadTextures(model, ready) {
  return model.textures.map(texture => {
    const image = new Image();
    const out = texture.type === 0 ? new THREE.Texture(image) : new THREE.CubeTexture();
    image.onload = () => {
      if (texture.type !== 0) {
        out.images = cubeFaces(image);
        out.flipY = false;
      }
      out.needsUpdate = true;
      ready();
    };
    image.src = "data:image/png;base64," + texture.png;
    if (texture.type === 0) {
      out.wrapS = out.wrapT = THREE.RepeatWrapping;
      out.anisotropy = 8;
    }
    out.source = image;
    return out;
  });
}

// The six squares of the texture of a cube, one below the other; one is enough for all sides.
function cubeFaces(image) {
  const side = image.width, n = Math.round(image.height / image.width), faces = [];
  for (let i = 0; i < 6; i++) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = side;
    canvas.getContext("2d").drawImage(image, 0, side * (i % n), side, side, 0, 0, side, side);
    faces.push(canvas);
  }
  return faces;
}

function srgb(rgba) {
  return new THREE.Color(rgba[0], rgba[1], rgba[2]);
}

// The texture of a cube is looked up along the direction from the center of the shape.
function wrapCube(material, cube) {
  material.onBeforeCompile = shader => {
    shader.uniforms.cube = { value: cube };
    shader.vertexShader = "varying vec3 fromCenter;\n" + shader.vertexShader.replace(
      "#include <begin_vertex>", "#include <begin_vertex>\nfromCenter = position;");
    shader.fragmentShader = "varying vec3 fromCenter;\nuniform samplerCube cube;\n" +
      shader.fragmentShader.replace("#include <map_fragment>",
        "diffuseColor.rgb *= textureCube(cube, fromCenter).rgb;");
  };
}

// How often a texture is repeated on a shape; uniform: for each meter.
function repetitions(material, shape, look) {
  const [u, v] = material.repeat;
  if (shape.type !== PLANE) { return [u, v]; }
  const [x, y] = planeSize(shape.size, look);
  const endless = shape.size[0] <= 0 || shape.size[1] <= 0;
  return material.uniform || endless ? [u * 2 * x, v * 2 * y] : [u, v];
}

// The material of a shape. A material of the model replaces its color, unless the shape has one.
function materialOf(shape, model, textures) {
  const given = shape.material >= 0 ? model.materials[shape.material] : null;
  const plain = shape.rgba.every((x, i) => Math.abs(x - [0.5, 0.5, 0.5, 1][i]) < 1e-6);
  const rgba = given && plain ? given.rgba : shape.rgba;
  const specular = given ? given.specular : 0.5, shininess = given ? given.shininess : 0.5;
  const exponent = Math.max(128 * shininess, 1);
  // three.js normalizes highlights, so that sharp ones are brighter; the model's are not
  const highlight = specular / Math.max(0.25 * (0.5 * exponent + 1), 1);
  const material = new THREE.MeshPhongMaterial({
    color: srgb(rgba), opacity: rgba[3], transparent: rgba[3] < 1, depthWrite: rgba[3] >= 1,
    shininess: exponent, specular: new THREE.Color(highlight, highlight, highlight),
    side: shape.type === MESH || shape.type === PLANE ? THREE.DoubleSide : THREE.FrontSide,
  });
  if (given && given.emission > 0) {
    material.emissive = srgb(rgba).multiplyScalar(given.emission);
  }
  if (given && given.texture >= 0) {
    const texture = textures[given.texture];
    if (texture.isCubeTexture) {
      wrapCube(material, texture);
    } else {
      const map = texture.clone();
      map.image = texture.image;
      const [u, v] = repetitions(given, shape, model.look);
      map.repeat.set(u, v);
      if (texture.source.complete) { map.needsUpdate = true; }
      texture.source.addEventListener("load", () => { map.needsUpdate = true; });
      material.map = map;
    }
  }
  material.userData.opacity = rgba[3];
  return material;
}
