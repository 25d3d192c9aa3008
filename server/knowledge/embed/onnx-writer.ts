/** Element types of ONNX tensors, by their numbers in `TensorProto.DataType`. */
export const elementType = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10, bfloat16: 16 } as const
export type ElementType = keyof typeof elementType

export type Attribute = { readonly int: number } | { readonly float: number }

export interface OnnxNode {
  readonly operator: string
  /** Names of its inputs. */
  readonly inputs: readonly string[]
  readonly attributes?: Readonly<Record<string, Attribute>>
  /** Operator set; the standard one if absent. */
  readonly domain?: 'com.microsoft'
}

export interface OnnxGraph {
  /** Declares an input of the model. A string is a dimension that is known only at run time. */
  input(name: string, type: ElementType, dimensions: readonly (number | string)[]): string
  constant(type: ElementType, dimensions: readonly number[], values: NodeJS.TypedArray): string
  /** Adds an operation and returns the name of its only output. */
  node(node: OnnxNode): string
  /** Declares `value` as an output of the model, under the name `name`. */
  output(name: string, value: string, type: ElementType, dimensions: readonly (number | string)[]): void
  /** Returns the model as `ModelProto` bytes (ONNX IR 9, operator set 17 and com.microsoft 1). */
  encode(): Uint8Array<ArrayBuffer>
}

/**
 * Creates a writer of ONNX models with the operators of a transformer encoder.
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto for the field numbers
 */
export function createOnnxGraph(): OnnxGraph {
  const parts: Message = []
  let values = 0
  const nextName = () => `v${values++}`

  return {
    input(name, type, dimensions) {
      parts.push(...message(11, valueInfo(name, type, dimensions)))
      return name
    },
    constant(type, dimensions, data) {
      const name = nextName()
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      const tensor = [
        ...dimensions.flatMap((size) => integer(1, size)),
        ...integer(2, elementType[type]),
        ...text(8, name),
        ...message(9, [bytes]),
      ]
      parts.push(...message(5, tensor))
      return name
    },
    node(node) {
      const name = nextName()
      parts.push(...message(1, nodeFields(node, name)))
      return name
    },
    output(name, value, type, dimensions) {
      parts.push(...message(1, nodeFields({ operator: 'Identity', inputs: [value] }, name)))
      parts.push(...message(12, valueInfo(name, type, dimensions)))
    },
    encode() {
      const standard = message(8, integer(2, 17))
      const microsoft = message(8, [...text(1, 'com.microsoft'), ...integer(2, 1)])
      return joined([...integer(1, 9), ...standard, ...microsoft, ...message(7, [...text(2, 'graph'), ...parts])])
    },
  }
}

/** Encoded protobuf fields in pieces: large tensors are copied once, when the pieces are joined. */
type Message = Uint8Array[]

function nodeFields({ operator, inputs, attributes = {}, domain }: OnnxNode, output: string): Message {
  return [
    ...inputs.flatMap((input) => text(1, input)),
    ...text(2, output),
    ...text(4, operator),
    ...Object.entries(attributes).flatMap(([name, value]) => message(5, attributeFields(name, value))),
    ...(domain ? text(7, domain) : []),
  ]
}

function attributeFields(name: string, value: Attribute): Message {
  if ('int' in value) return [...text(1, name), ...integer(3, value.int), ...integer(20, 2)]
  return [...text(1, name), ...float(2, value.float), ...integer(20, 1)]
}

function valueInfo(name: string, type: ElementType, dimensions: readonly (number | string)[]): Message {
  const shape = dimensions.flatMap((size) => message(1, typeof size === 'string' ? text(2, size) : integer(1, size)))
  return [...text(1, name), ...message(2, message(1, [...integer(1, elementType[type]), ...message(2, shape)]))]
}

function text(field: number, value: string): Message {
  return message(field, [new TextEncoder().encode(value)])
}

function message(field: number, content: Message): Message {
  return [varint((field << 3) | 2), varint(byteLength(content)), ...content]
}

function float(field: number, value: number): Message {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setFloat32(0, value, true)
  return [varint((field << 3) | 5), bytes]
}

function integer(field: number, value: number): Message {
  return [varint(field << 3), varint(value)]
}

/** Encodes negative numbers as 64-bit two's complement, like protobuf's `int64`. */
function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}

function byteLength(pieces: Message): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}

function joined(pieces: Message): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(byteLength(pieces))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
