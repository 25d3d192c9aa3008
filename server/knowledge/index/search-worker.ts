import { parentPort, workerData } from 'node:worker_threads'
import type { Compilable } from 'kysely'
import { statementBuilder } from '../../db/statement-builder.ts'
import type { Transaction } from '../../db/schema.ts'
import { baseIndexes, type IndexContext, type IndexMemory, type WarningLog } from './base-indexes.ts'
import type { ComparedModel } from './compared-model.ts'
import { findChunks, type IndexQuery } from './find-chunks.ts'
import { createIndexFiles } from './index-files.ts'
import type { FromSearchThread, Measured, Question, SearchMessage, SearchThreadData, SentQuery, ToSearchThread } from './thread-messages.ts'

// A search thread: it has indexes of its own, and reads from the database by asking the main thread.

/** An error that the main thread keeps. */
class MainThreadError extends Error {
  readonly failure: number
  constructor(failure: number) {
    super(`the main thread could not answer (${failure})`)
    this.failure = failure
  }
}

const { maxBytes, files } = threadData(workerData)
const log: WarningLog = { warn: (fields, message) => post({ type: 'warning', fields, message }) }
const indexes = baseIndexes({
  maxBytes,
  files: files && createIndexFiles({ ...files, contextOf: noContext, log, cleanEveryMs: null }),
})
const answers = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
let questions = 0
let toldMemory: IndexMemory = indexes.memory()

parentPort?.on('message', (message: ToSearchThread) => {
  if (message.type === 'search') void search(message)
  else if (message.type === 'evict') evict(message.organizationId)
  else if (message.type === 'close') void close()
  else {
    const waiting = answers.get(message.question)
    answers.delete(message.question)
    if (message.type === 'answer') waiting?.resolve(message.value)
    else waiting?.reject(new MainThreadError(message.failure))
  }
})
post({ type: 'ready' })

async function search({ search: id, organizationId, query, aborted }: SearchMessage): Promise<void> {
  const measured: Measured[] = []
  const ctx: IndexContext = {
    organizationId,
    db: databaseOf(id),
    log,
    measurements: {
      searchStep: (step, seconds) => void measured.push({ step, seconds }),
      indexLoad: (load, seconds) => void measured.push({ load, seconds }),
    },
  }
  const signal = {
    throwIfAborted(): void {
      if (Atomics.load(aborted, 0) !== 0) throw new Error('the search was aborted')
    },
  }
  try {
    const found = await findChunks(ctx, indexes, queryOf(id, organizationId, query), signal)
    // Before the answer, so that the memory that the program reports includes the index of an answered search.
    tellMemory()
    post({ type: 'found', search: id, found, measured })
  } catch (error) {
    post({ type: 'failed', search: id, error: error instanceof MainThreadError ? { failure: error.failure } : { thrown: error } })
    tellMemory()
  }
}

/** A database whose statements the main thread runs, for the organization of the search. */
function databaseOf(id: number): IndexContext['db'] {
  return {
    async select<Row>(organizationId: string, build: (db: Transaction) => Compilable<Row>, options = {}): Promise<Row[]> {
      const { sql: text, parameters } = build(statementBuilder).compile()
      const rows = await ask(id, organizationId, { kind: 'select', text, parameters, options })
      return (rows as object[]).map(withBuffers) as Row[]
    },
    transaction: () => Promise.reject(new Error('a search thread has no transactions')),
  }
}

/** Buffers arrive as plain arrays of bytes. */
const withBuffers = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value,
    ]),
  )

function queryOf(id: number, organizationId: string, query: SentQuery): IndexQuery {
  const compared = query.compared.map(({ model, ...rest }) => ({ ...rest, model: modelOf(id, organizationId, model) }))
  const scope = query.scope.map((base) => ({ ...base, selected: base.selected === null ? null : Array.from(base.selected) }))
  return { ...query, scope, compared }
}

const modelOf = (id: number, organizationId: string, model: SentQuery['compared'][number]['model']): ComparedModel => ({
  ...model,
  competences: async (languages) =>
    languages.length === 0
      ? {}
      : ((await ask(id, organizationId, { kind: 'competences', model: model.name, languages })) as Readonly<Record<string, number>>),
})

function ask(id: number, organizationId: string, asked: Question): Promise<unknown> {
  return new Promise((resolve, reject) => {
    questions += 1
    answers.set(questions, { resolve, reject })
    post({ type: 'question', question: questions, search: id, organizationId, asked })
  })
}

function evict(organizationId: string): void {
  indexes.evictOrganization(organizationId)
  tellMemory()
}

function tellMemory(): void {
  const memory = indexes.memory()
  if (memory.bytes === toldMemory.bytes && memory.indexes === toldMemory.indexes) return
  toldMemory = memory
  post({ type: 'memory', memory })
}

async function close(): Promise<void> {
  await indexes.close()
  post({ type: 'closed' })
}

function post(message: FromSearchThread): void {
  parentPort?.postMessage(message)
}

function noContext(): never {
  throw new Error('the main thread cleans the folder of index files')
}

/** `startSearchThread` is the only one who starts this thread. */
function threadData(data: unknown): SearchThreadData {
  return data as SearchThreadData
}
