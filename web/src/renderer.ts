// What draws. Starting it takes as long as many pictures (a process of the browser's, programs for the graphics card), so a page that has to
// wait for something else makes one meanwhile.
import {
  AmbientLight, BufferAttribute, BufferGeometry, CircleGeometry, Color, DirectionalLight, DoubleSide, HemisphereLight, Mesh, MeshLambertMaterial, MeshStandardMaterial,
  PCFShadowMap, PerspectiveCamera, Scene, ShadowMaterial, SRGBColorSpace, WebGLRenderer,
} from "three";

let ready: WebGLRenderer | null = null;
let software: boolean | null = null;

// Without a graphics card pictures are made by the processor: then they are made with less effort.
export function drawsInSoftware(): boolean {
  if (software === null) startRenderer();
  return software!;
}

function isSoftware(context: WebGL2RenderingContext): boolean {
  const info = context.getExtension("WEBGL_debug_renderer_info");
  return info !== null && /swiftshader|llvmpipe|software/i.test(String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)));
}

function end(renderer: WebGLRenderer): void {
  renderer.dispose();
  renderer.forceContextLoss(); // browsers allow some sixteen
}

// Edges are smoothed by graphics cards only; which it is, is known once there is one.
function make(): WebGLRenderer {
  let renderer = new WebGLRenderer({ antialias: software === false });
  if (software === null) {
    software = isSoftware(renderer.getContext() as WebGL2RenderingContext);
    if (!software) {
      end(renderer);
      renderer = new WebGLRenderer({ antialias: true });
    }
  }
  renderer.outputColorSpace = SRGBColorSpace;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  return renderer;
}

// Matt where the processor draws: hardly to be told from the other, and half the work, in starting too.
export type BodyMaterial = MeshStandardMaterial | MeshLambertMaterial;
export function bodyMaterial(colour: Color): BodyMaterial {
  if (drawsInSoftware()) return new MeshLambertMaterial({ color: colour, side: DoubleSide });
  return new MeshStandardMaterial({ color: colour, roughness: 0.78, metalness: 0, side: DoubleSide });
}
export const groundMaterial = () => new ShadowMaterial({ opacity: 0.25 });

// Into a scene; the sun is the caller's to place.
export function addLights(scene: Scene): DirectionalLight {
  const sun = new DirectionalLight(0xfff6e8, 1.9);
  sun.castShadow = true;
  scene.add(new HemisphereLight(0xffffff, 0xb0a595, 1.15), new AmbientLight(0xffffff, 0.15), sun, sun.target);
  return sun;
}

// One for the next who takes one, with the programs that every scene needs: those of bodies, ground and shadow.
export function startRenderer(): void {
  if (ready) return;
  ready = make();
  ready.setSize(8, 8, false);
  const scene = new Scene();
  addLights(scene).shadow.mapSize.setScalar(8);
  const triangle = new BufferGeometry();
  for (const name of ["position", "normal"]) triangle.setAttribute(name, new BufferAttribute(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), 3));
  const body = new Mesh(triangle, bodyMaterial(new Color()));
  const ground = new Mesh(new CircleGeometry(1, 3), groundMaterial());
  body.castShadow = body.receiveShadow = ground.receiveShadow = true;
  for (const mesh of [body, ground]) mesh.frustumCulled = false;
  scene.add(body, ground);
  ready.render(scene, new PerspectiveCamera());
}

export function takeRenderer(): WebGLRenderer {
  const taken = ready ?? make();
  ready = null;
  return taken;
}
export function endRenderer(renderer: WebGLRenderer): void {
  end(renderer);
  renderer.domElement.remove();
}

// Waits until the first picture is there: until it has been drawn, not until that was asked for. Marks the time, for measurements and tests.
// In a page that nobody sees nothing is drawn, nor waited for.
export async function firstPicture(renderer: WebGLRenderer): Promise<void> {
  const turn = () => new Promise((next) => (document.hidden ? next(0) : requestAnimationFrame(next)));
  await turn(); // draws
  await turn();
  const gl = renderer.getContext() as WebGL2RenderingContext;
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  const isDrawn = () => !fence || gl.isContextLost() || gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED;
  while (!isDrawn()) await new Promise((next) => setTimeout(next, 4));
  performance.mark("first picture");
}
