import { createOnnxGraph } from './onnx-writer.ts'
import type { loadOnnxRuntime } from './onnx-runtime.ts'

type OnnxRuntime = Awaited<ReturnType<typeof loadOnnxRuntime>>

/**
 * Returns whether this processor multiplies unsigned activations by signed weights exactly. Processors with AVX2 but without
 * VNNI add products in 16 bits and saturate. Tested with the largest values, since the runtime does not report it.
 */
export async function signedWeightsAreExact({ InferenceSession, Tensor }: OnnxRuntime): Promise<boolean> {
  const [rows, inner, columns] = [16, 64, 16]
  const graph = createOnnxGraph()
  const product = graph.node({
    operator: 'DynamicQuantizeMatMul',
    inputs: [
      graph.input('x', 'float32', [rows, inner]),
      graph.constant('int8', [inner, columns], new Int8Array(inner * columns).fill(127)),
      graph.constant('float32', [], Float32Array.of(1)),
    ],
    domain: 'com.microsoft',
  })
  graph.output('y', product, 'float32', [rows, columns])
  const session = await InferenceSession.create(graph.encode(), { intraOpNumThreads: 1, interOpNumThreads: 1 })
  const { y } = await session.run({ x: new Tensor('float32', new Float32Array(rows * inner).fill(1), [rows, inner]) })
  await session.release()
  return y?.data instanceof Float32Array && y.data.every((value) => Math.abs(value - inner * 127) < 1)
}
