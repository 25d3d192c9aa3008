import { floatToHalf } from './half-precision.ts'
import { type OnnxGraph, createOnnxGraph, elementType } from './onnx-writer.ts'
import { type QuantizedWeight, dequantized } from './tfjs-weights.ts'

export type Precision = 'int8' | 'fp32' | 'fp16'

export const hiddenSize = 384
const layers = 6
const heads = 12
const root = 'StatefulPartitionedCall/model/tf_bert_model/bert/'

/**
 * Builds the graph of all-MiniLM-L6-v2 (BERT, 6 layers of 384; Wang et al. 2020, Reimers and Gurevych 2019) as an ONNX model:
 * `input_ids` int32 [1, length] → `embedding` float32 [1, 384], the mean over all tokens, unit length.
 *
 * With int8, weights are multiplied as stored and activations are quantized per tensor at run time. The texts of a batch would
 * share that range, so the vector of a text would depend on its neighbours: hence one text per run, and no mask.
 * @param weights of the TensorFlow.js conversion, by TensorFlow name
 */
export function buildMiniLmGraph(weights: ReadonlyMap<string, QuantizedWeight>, precision: Precision): Uint8Array<ArrayBuffer> {
  const graph = createOnnxGraph()
  const x = encoder({ graph, precision, weights }, graph.input('input_ids', 'int32', [1, 'length']))
  const sum = graph.node({ operator: 'ReduceSum', inputs: [x, int64s(graph, [1])], attributes: { keepdims: { int: 0 } } })
  const unit = graph.node({ operator: 'LpNormalization', inputs: [sum], attributes: { axis: { int: -1 }, p: { int: 2 } } })
  graph.output('embedding', unit, 'float32', [1, hiddenSize])
  return graph.encode()
}

/**
 * Builds the same graph in the form of models that are published: `input_ids`, `attention_mask` and `token_type_ids` int64
 * [1, length] → `last_hidden_state` [1, length, 384], before pooling; float16 with fp16, otherwise float32. It reads `input_ids` only.
 */
export function buildMiniLmTokenGraph(weights: ReadonlyMap<string, QuantizedWeight>, precision: Precision): Uint8Array<ArrayBuffer> {
  const graph = createOnnxGraph()
  const [ids = ''] = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => graph.input(name, 'int64', [1, 'length']))
  graph.output('last_hidden_state', encoder({ graph, precision, weights }, ids), floatType(precision), [1, 'length', hiddenSize])
  return graph.encode()
}

function encoder(model: Model, ids: string): string {
  let x = embeddings(model, ids)
  for (let layer = 0; layer < layers; layer++) x = transformerLayer(model, x, `${root}encoder/layer_._${layer}/`)
  return x
}

interface Model {
  readonly graph: OnnxGraph
  readonly precision: Precision
  readonly weights: ReadonlyMap<string, QuantizedWeight>
}

function embeddings(model: Model, ids: string): string {
  const { graph } = model
  const words = weight(model, 'unknown')
  const bytes = graph.node({ operator: 'Gather', inputs: [graph.constant('uint8', words.shape, words.bytes), ids] })
  const values = graph.node({ operator: 'Cast', inputs: [bytes], attributes: { to: { int: elementType[floatType(model.precision)] } } })
  const scaled = graph.node({ operator: 'Mul', inputs: [values, floats(model, [], Float32Array.of(words.scale))] })
  const word = graph.node({ operator: 'Add', inputs: [scaled, floats(model, [], Float32Array.of(words.min))] })

  const shape = graph.node({ operator: 'Shape', inputs: [ids] })
  const length = graph.node({ operator: 'Gather', inputs: [shape, int64s(graph, [1])] })
  const table = floats(model, weight(model, 'unknown_0').shape, positionTable(model))
  const position = graph.node({ operator: 'Slice', inputs: [table, int64s(graph, [0]), length, int64s(graph, [0])] })
  return layerNorm(model, add(graph, word, position), `${root}embeddings/`)
}

/** Position embeddings plus the embedding of segment 0: a text has only one segment. */
function positionTable(model: Model): Float32Array {
  const table = dequantized(weight(model, 'unknown_0'))
  const segments = dequantized(weight(model, 'unknown_1'))
  return table.map((value, at) => value + (segments[at % hiddenSize] ?? 0))
}

function transformerLayer(model: Model, x: string, path: string): string {
  const { graph } = model
  const projections = ['query', 'key', 'value'].map((name) => linear(model, x, `${path}attention/self/${name}/`))
  const heard = graph.node({
    operator: 'MultiHeadAttention',
    inputs: projections,
    attributes: { num_heads: { int: heads } },
    domain: 'com.microsoft',
  })
  const attended = linear(model, heard, `${path}attention/output/dense/`)
  const middle = layerNorm(model, add(graph, attended, x), `${path}attention/output/`)
  const wide = linear(model, middle, `${path}intermediate/dense/`)
  const active = graph.node({ operator: 'Gelu', inputs: [wide], domain: 'com.microsoft' })
  const narrow = linear(model, active, `${path}output/dense/`)
  return layerNorm(model, add(graph, narrow, middle), `${path}output/`)
}

function linear(model: Model, x: string, path: string): string {
  const { graph, precision } = model
  const kernel = weight(model, `${path}Tensordot/ReadVariableOp`)
  const bias = vector(model, `${path}BiasAdd/ReadVariableOp`)
  if (precision !== 'int8') {
    const matrix = floats(model, kernel.shape, dequantized(kernel))
    return add(graph, graph.node({ operator: 'MatMul', inputs: [x, matrix] }), bias)
  }
  const { matrix, zeroPoint } = signed(kernel)
  return graph.node({
    operator: 'DynamicQuantizeMatMul',
    inputs: [
      x,
      graph.constant('int8', kernel.shape, matrix),
      scalar(graph, kernel.scale),
      graph.constant('int8', [], Int8Array.of(zeroPoint)),
      bias,
    ],
    domain: 'com.microsoft',
  })
}

/** Returns the same real values as signed bytes: processors multiply unsigned activations by signed weights three times as fast. */
function signed({ bytes, scale, min }: QuantizedWeight): { matrix: Int8Array; zeroPoint: number } {
  const matrix = new Int8Array(bytes)
  for (let at = 0; at < matrix.length; at++) matrix[at] = (bytes[at] ?? 0) - 128
  return { matrix, zeroPoint: Math.round(-min / scale) - 128 }
}

function layerNorm(model: Model, x: string, path: string): string {
  const gain = vector(model, `${path}LayerNorm/batchnorm/mul/ReadVariableOp`)
  const bias = vector(model, `${path}LayerNorm/batchnorm/ReadVariableOp`)
  const attributes = { axis: { int: -1 }, epsilon: { float: 1e-12 } }
  return model.graph.node({ operator: 'LayerNormalization', inputs: [x, gain, bias], attributes })
}

function add(graph: OnnxGraph, a: string, b: string): string {
  return graph.node({ operator: 'Add', inputs: [a, b] })
}

function vector(model: Model, name: string): string {
  const stored = weight(model, name)
  return floats(model, stored.shape, dequantized(stored))
}

const floatType = (precision: Precision) => (precision === 'fp16' ? 'float16' : 'float32')

function floats({ graph, precision }: Model, shape: readonly number[], values: Float32Array): string {
  if (precision === 'fp16') return graph.constant('float16', shape, Uint16Array.from(values, floatToHalf))
  return graph.constant('float32', shape, values)
}

function scalar(graph: OnnxGraph, value: number): string {
  return graph.constant('float32', [], Float32Array.of(value))
}

function int64s(graph: OnnxGraph, values: readonly number[]): string {
  return graph.constant('int64', [values.length], BigInt64Array.from(values, BigInt))
}

function weight({ weights }: Model, name: string): QuantizedWeight {
  const found = weights.get(name)
  if (!found) throw new Error(`The model has no weight named ${name}`)
  return found
}
