import { elementType } from '../onnx-writer.ts'

export interface OnnxValue {
  readonly name: string
  /** A number of `TensorProto.DataType`. */
  readonly type: number
  /** A string or null is a dimension that is known only at run time. */
  readonly dimensions: readonly (number | string | null)[]
}

/** What a model file declares about itself. */
export interface OnnxSummary {
  readonly inputs: readonly OnnxValue[]
  readonly outputs: readonly OnnxValue[]
  /** Paths of files with weights, relative to the model file. */
  readonly externalFiles: readonly string[]
  readonly operators: ReadonlySet<string>
  /** Bytes of weights by their type, a number of `TensorProto.DataType`. */
  readonly weightBytes: ReadonlyMap<number, number>
}

interface Collected {
  readonly inputs: OnnxValue[]
  readonly outputs: OnnxValue[]
  readonly initializers: Set<string>
  readonly externalFiles: Set<string>
  readonly operators: Set<string>
  readonly weightBytes: Map<number, number>
}

/**
 * Reads the inputs, outputs, operators and weight files of an ONNX model without loading it.
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto for the field numbers
 * @throws Error if the bytes are truncated or no ONNX model
 */
export function readOnnx(bytes: Uint8Array): OnnxSummary {
  const found: Collected = {
    inputs: [],
    outputs: [],
    initializers: new Set(),
    externalFiles: new Set(),
    operators: new Set(),
    weightBytes: new Map(),
  }
  let graphs = 0
  for (const field of fieldsOf(bytes)) {
    if (field.number === 7 && field.bytes) {
      graphs += 1
      readGraph(field.bytes, found, true)
    }
    // A local function.
    if (field.number === 25 && field.bytes) for (const part of fieldsOf(field.bytes)) if (part.number === 7) readNode(part, found)
  }
  if (graphs !== 1) throw new Error('it has no graph')
  const { inputs, initializers, externalFiles, ...rest } = found
  return { ...rest, inputs: inputs.filter(({ name }) => !initializers.has(name)), externalFiles: [...externalFiles] }
}

function readGraph(bytes: Uint8Array, found: Collected, outermost: boolean): void {
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) readNode(field, found)
    if (field.number === 5) found.initializers.add(readTensor(field, found))
    if (field.number === 15 && field.bytes)
      for (const part of fieldsOf(field.bytes)) if (part.number === 1 || part.number === 2) readTensor(part, found)
    if (field.number === 11 && outermost) found.inputs.push(readValue(field))
    if (field.number === 12 && outermost) found.outputs.push(readValue(field))
  }
}

function readNode({ bytes }: Field, found: Collected): void {
  for (const field of fieldsOf(bytes)) {
    if (field.number === 4) found.operators.add(textOf(field))
    if (field.number !== 5) continue
    for (const part of fieldsOf(field.bytes)) {
      if (part.number === 5 || part.number === 10) readTensor(part, found)
      if ((part.number === 6 || part.number === 11) && part.bytes) readGraph(part.bytes, found, false)
    }
  }
}

/** Returns the name of the tensor. */
function readTensor({ bytes }: Field, found: Collected): string {
  let [name, type, size] = ['', 0, 0]
  for (const field of fieldsOf(bytes)) {
    if (field.number === 2) type = field.value
    if (field.number === 8) name = textOf(field)
    if (field.number === 13) {
      const [key, value] = readEntry(field)
      if (key === 'location') found.externalFiles.add(value)
      if (key === 'length') size = Number(value)
    } else if (field.bytes) size = Math.max(size, field.bytes.length)
  }
  found.weightBytes.set(type, (found.weightBytes.get(type) ?? 0) + size)
  return name
}

function readEntry({ bytes }: Field): [string, string] {
  let [key, value] = ['', '']
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) key = textOf(field)
    if (field.number === 2) value = textOf(field)
  }
  return [key, value]
}

function readValue({ bytes }: Field): OnnxValue {
  let [name, type] = ['', 0]
  let dimensions: OnnxValue['dimensions'] = []
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) name = textOf(field)
    if (field.number !== 2) continue
    for (const tensor of fieldsOf(field.bytes)) {
      if (tensor.number !== 1) continue
      for (const part of fieldsOf(tensor.bytes)) {
        if (part.number === 1) type = part.value
        if (part.number === 2)
          dimensions = Array.from(fieldsOf(part.bytes))
            .filter(({ number }) => number === 1)
            .map(readDimension)
      }
    }
  }
  return { name, type, dimensions }
}

function readDimension({ bytes }: Field): number | string | null {
  for (const field of fieldsOf(bytes)) return field.bytes ? textOf(field) : field.value
  return null
}

interface Field {
  readonly number: number
  /** Of a number; 0 otherwise. */
  readonly value: number
  /** Of a text, bytes or a message. */
  readonly bytes: Uint8Array | undefined
}

const textOf = ({ bytes }: Field): string => new TextDecoder().decode(bytes)
const truncated = (): Error => new Error('it is truncated or no ONNX model')

/** Yields the fields of a protobuf message. */
function* fieldsOf(bytes: Uint8Array = new Uint8Array()): Generator<Field> {
  let at = 0
  const varint = (): number => {
    let [value, scale] = [0, 1]
    for (;;) {
      const byte = bytes[at++]
      if (byte === undefined || scale > 2 ** 63) throw truncated()
      value += (byte & 127) * scale
      if (byte < 128) return value
      scale *= 128
    }
  }
  while (at < bytes.length) {
    const tag = varint()
    const [number, wire] = [Math.floor(tag / 8), tag % 8]
    if (number === 0) throw truncated()
    if (wire === 0) yield { number, value: varint(), bytes: undefined }
    else {
      const length = wire === 2 ? varint() : wire === 1 ? 8 : wire === 5 ? 4 : Number.NaN
      if (!(at + length <= bytes.length)) throw truncated()
      yield { number, value: 0, bytes: bytes.subarray(at, at + length) }
      at += length
    }
  }
}

const { float32, float16, bfloat16 } = elementType
const quantizing =
  /^(DynamicQuantize|QLinear|MatMulInteger|ConvInteger|QAttention|QEmbed|DequantizeLinear|MatMulNBits|GatherBlockQuantized)/

/** Returns the precision of most weights: `int4`, `int8`, `fp16`, `bf16` or `fp32`. */
export function precisionOf({ operators, weightBytes }: OnnxSummary): string {
  if (operators.has('MatMulNBits') || operators.has('GatherBlockQuantized')) return 'int4'
  if ([...operators].some((operator) => quantizing.test(operator))) return 'int8'
  const bytesOf = (type: number): number => weightBytes.get(type) ?? 0
  if (bytesOf(float16) > bytesOf(float32)) return 'fp16'
  return bytesOf(bfloat16) > bytesOf(float32) ? 'bf16' : 'fp32'
}
