import { serveRequests } from '../lib/limited-process.ts'
import { TableError, type TableRow } from './csv-reader.ts'
import type { XlsxReply, XlsxRequest } from './xlsx-messages.ts'
import { xlsxRows } from './xlsx-reader.ts'

/** Cells and characters of a message, so that the program reads it within milliseconds. */
const maxMessageCells = 10_000
const maxMessageCharacters = 1_000_000

let receive: (request: XlsxRequest) => void = () => void read()
let reply: (reply: XlsxReply) => void = () => {}

serveRequests(
  (request: XlsxRequest) =>
    new Promise<XlsxReply>((resolve) => {
      reply = resolve
      receive(request)
    }),
)

/** Answers the current request, and waits for the next one. */
const exchange = (answer: XlsxReply): Promise<XlsxRequest> =>
  new Promise((resolve) => {
    receive = resolve
    reply(answer)
  })

async function read(): Promise<void> {
  try {
    for await (const rows of xlsxRows(open)) for (const part of messagesOf(rows)) await exchange({ type: 'rows', rows: part })
    reply({ type: 'end' })
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    reply({ type: 'failure', message: error.message })
  }
}

async function open(): Promise<AsyncIterable<Uint8Array>> {
  await exchange({ type: 'open' })
  return archive()
}

async function* archive(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytes } = await exchange({ type: 'read' })
    if (bytes == null) return
    yield bytes
  }
}

function* messagesOf(rows: readonly TableRow[]): Generator<TableRow[]> {
  let part: TableRow[] = []
  let cells = 0
  let characters = 0
  for (const row of rows) {
    part.push(row)
    cells += row.cells.length
    for (const cell of row.cells) characters += cell.length
    if (cells < maxMessageCells && characters < maxMessageCharacters) continue
    yield part
    part = []
    cells = 0
    characters = 0
  }
  if (part.length > 0) yield part
}
