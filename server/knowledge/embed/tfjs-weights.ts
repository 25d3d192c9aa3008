import { z } from 'zod'

/** The part of a TensorFlow.js `model.json` that locates weights in the weights file. */
const Manifest = z.object({
  weightsManifest: z.tuple([
    z.object({
      weights: z.array(
        z.object({
          name: z.string(),
          shape: z.array(z.int().nonnegative()),
          quantization: z.object({ dtype: z.literal('uint8'), scale: z.number(), min: z.number() }).optional(),
        }),
      ),
    }),
  ]),
})

/** A stored weight: the real value of a byte `b` is `b × scale + min`. */
export interface QuantizedWeight {
  readonly shape: readonly number[]
  readonly bytes: Uint8Array
  readonly scale: number
  readonly min: number
}

/**
 * Reads the uint8-quantized weights of a TensorFlow.js model with a single weights file. Other weights (int32 constants of the
 * TensorFlow graph) are ignored.
 * @param modelJson the text of `model.json`
 * @param data the weights file; the weights are views into it
 */
export function readTfjsWeights(modelJson: string, data: Uint8Array): ReadonlyMap<string, QuantizedWeight> {
  const [group] = Manifest.parse(JSON.parse(modelJson)).weightsManifest
  const weights = new Map<string, QuantizedWeight>()
  let at = 0
  for (const { name, shape, quantization } of group.weights) {
    const size = shape.reduce((product, length) => product * length, 1) * (quantization ? 1 : 4)
    if (quantization) weights.set(name, { shape, bytes: data.subarray(at, at + size), scale: quantization.scale, min: quantization.min })
    at += size
  }
  if (at !== data.length) throw new Error(`The weights file has ${data.length} bytes where its manifest describes ${at}`)
  return weights
}

export function dequantized({ bytes, scale, min }: QuantizedWeight): Float32Array {
  const values = new Float32Array(bytes)
  for (let at = 0; at < values.length; at++) values[at] = (values[at] ?? 0) * scale + min
  return values
}
