import pg, { type Client, type Submittable } from 'pg'
import type { Duplex } from 'node:stream'
import type { OwnerQuery } from './owner-query.ts'
import type { Connection } from './pool.ts'

/** A startup parameter would do the same, but poolers refuse it. */
const noTimeLimits = 'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0'

/** Settings on which the text of COPY depends. With `extra_float_digits` of 1, a float is read back as the same float. */
const textSettings = `set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set bytea_output = 'hex';
  set extra_float_digits = 1; set client_encoding = 'UTF8'`

/** One connection of the owner, for statements that copy rows in bulk. Statements have no time limit. */
export interface BulkSession {
  readonly query: OwnerQuery
  /** Runs `COPY … TO STDOUT` in text format and returns its data: one line per row. */
  copyOut(statement: string): Promise<Buffer>
  /** Runs `COPY … FROM STDIN` in text format. */
  copyIn(statement: string, data: Buffer): Promise<void>
  close(): Promise<void>
}

/** @throws Error if the database cannot be reached */
export async function openBulkSession(connection: Connection): Promise<BulkSession> {
  const client = new pg.Client({
    ...connection,
    ...('stream' in connection && { user: 'postgres', database: 'postgres' }),
    application_name: 'groundwork backup',
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // A statement that runs meanwhile rejects with the same error.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`${noTimeLimits}; ${textSettings}`)
  return {
    query: async <Row>(text: string, values?: unknown[]) => (await client.query(text, values)).rows as Row[],
    copyOut: (statement) => run(client, (settle) => new CopyOut(statement, settle)),
    copyIn: async (statement, data) => void (await run(client, (settle) => new CopyIn(statement, data, settle))),
    close: () => client.end(),
  }
}

type Settle = (error: Error | null, data: Buffer) => void

/** The part of the driver's connection that carries the data of COPY; its types do not declare it. */
interface CopyConnection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  readonly stream: Duplex
}

function run(client: Client, statement: (settle: Settle) => Submittable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    client.query(statement((error, data) => (error === null ? resolve(data) : reject(error))))
  })
}

/** A statement whose answer has no rows. The driver calls these methods for the messages of the server. */
class Copy {
  readonly text: string
  readonly #settle: Settle
  protected readonly received: Buffer[] = []

  constructor(text: string, settle: Settle) {
    this.text = text
    this.#settle = settle
  }

  submit(connection: object): void {
    copying(connection).query(this.text)
  }
  handleError(error: Error): void {
    this.#settle(error, none)
  }
  handleReadyForQuery(): void {
    this.#settle(null, Buffer.concat(this.received))
  }
  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

class CopyOut extends Copy {
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The driver reuses the memory of its messages.
    this.received.push(Buffer.from(chunk))
  }
  handleCopyInResponse(connection: object): void {
    copying(connection).endCopyFrom()
  }
}

class CopyIn extends Copy {
  readonly #data: Buffer

  constructor(text: string, data: Buffer, settle: Settle) {
    super(text, settle)
    this.#data = data
  }

  handleCopyData(): void {}
  handleCopyInResponse(connection: object): void {
    const to = copying(connection)
    for (let at = 0; at < this.#data.length; at += messageBytes) to.sendCopyFromChunk(this.#data.subarray(at, at + messageBytes))
    to.endCopyFrom()
  }
}

const none = Buffer.alloc(0)
const messageBytes = 64 * 1024

/** node-postgres calls statements with its `Connection`, which has these methods since version 4. */
function copying(connection: object): CopyConnection {
  return connection as CopyConnection
}
