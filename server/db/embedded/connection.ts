import { Duplex } from 'node:stream'
import { inspect, type Inspection } from './inspect.ts'
import * as protocol from './protocol.ts'
import { settingsKey, startupSettings, timeoutMs, type Settings } from './settings.ts'

/** Messages that the engine gets in one piece: up to Sync, a simple Query, or Flush. */
export interface Group {
  connection: VirtualConnection
  parts: Buffer[]
  /** After Flush the engine answers without ReadyForQuery and waits for more. */
  ends: 'sync' | 'query' | 'flush'
  /** When it came, in milliseconds of `performance.now()`. */
  since: number
  inspections: Inspection[]
  /** Named statements that it prepares, null for those it closes. */
  prepares: Map<string, Statement | null>
  /** Uses the unnamed statement of an earlier group. */
  needsUnnamed: boolean
  /** Leaves an unnamed statement of its own. */
  parsesUnnamed: boolean
  /** Holds the data of a COPY FROM STDIN, which was requested before the engine has seen the statement. */
  copiesIn: boolean
  /** Something of the gateway's own to do in the connection's turn. */
  task: 'farewell' | 'rollback' | null
}

/** The part of the gateway that a connection uses. */
export interface Host {
  readonly parameters: Buffer
  submit(group: Group): void
  /** Nothing more will come; `abandon` also drops waiting groups. */
  leave(connection: VirtualConnection, abandon: boolean): void
}

export interface Statement {
  parse: Buffer
  inspection: Inspection
}

/** A transaction that ended without its client: everything is refused until the client rolls back. */
export interface Loss {
  told: boolean
  refusal: protocol.Refusal
}

/** One client's end of the shared session: speaks the server's side of the protocol as a stream that `pg` takes for a socket. */
export class VirtualConnection extends Duplex {
  readonly id: number
  readonly channels = new Set<string>()
  readonly custom = new Set<string>()
  /** Named statements that the engine has prepared, under their names there. */
  readonly prepared = new Map<string, Statement>()
  unnamed: Statement | null = null
  settings: Settings = new Map()
  key = ''
  /** Its own limit of one group of statements, and the one of the transaction that is open. */
  timeoutMs: number | undefined
  localTimeoutMs: number | undefined
  /** Which start of the engine holds the prepared statements. */
  epoch = 0
  loss: Loss | null = null
  /** An error was answered before Sync: all up to Sync is passed over, as the server does. */
  skipping = false
  gone = false
  /** The same, as the client has asked for so far. */
  readonly #statements = new Map<string, Statement>()
  readonly #host: Host
  readonly #prefix: string
  readonly #reader = new protocol.MessageReader()
  #started = false
  /** The delivery that waits, and behind it all later ones. */
  #delivering: Promise<void> | null = null
  #undelivered = 0
  #group: Omit<Group, 'connection' | 'ends' | 'since'> = emptyGroup()
  #copiedBytes = 0

  constructor(host: Host, id: number) {
    // A connection that the server's side has ended is closed, as a socket is.
    super({ allowHalfOpen: false })
    this.#host = host
    this.id = id
    this.#prefix = `c${id}_`
  }

  deliver(...parts: Buffer[]): void {
    this.deliverAfter(null, ...parts)
  }

  /**
   * Delivers when the promise resolves, at once without one; later deliveries follow in order. If it rejects, the fate of the
   * answered commit is unknown, and the connection ends with an error.
   */
  deliverAfter(flushed: Promise<void> | null, ...parts: Buffer[]): void {
    if (flushed === null && this.#delivering === null) return this.#push(parts)
    this.#delivering = this.#deliverInTurn(this.#delivering, flushed, parts)
  }

  async #deliverInTurn(before: Promise<void> | null, flushed: Promise<void> | null, parts: Buffer[]): Promise<void> {
    this.#undelivered++
    try {
      await Promise.all([before, flushed])
      this.#push(parts)
    } catch {
      this.#finish([LOG_LOST])
    }
    if (--this.#undelivered === 0) this.#delivering = null
  }

  /** Resolves when everything has been delivered. */
  async delivered(): Promise<void> {
    await this.#delivering
  }

  /** The server's side ends the connection: waiting replies first, then the end of the stream. */
  finish(...parts: Buffer[]): void {
    if (this.#delivering === null) this.#finish(parts)
    else void this.#finishInTurn(parts)
  }

  async #finishInTurn(parts: Buffer[]): Promise<void> {
    await this.#delivering
    this.#finish(parts)
  }

  #finish(parts: Buffer[]): void {
    this.#push(parts)
    this.#end(true)
  }

  #push(parts: Buffer[]): void {
    // As one: a client may end the connection while it reads the first part.
    const bytes = Buffer.concat(parts)
    if (bytes.length > 0 && !this.gone && !this.destroyed) this.push(bytes)
  }

  /** The socket's methods that `pg` calls. */
  connect(): this {
    setImmediate(() => this.emit('connect'))
    return this
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    try {
      this.#reader.push(chunk)
      while (this.#step());
      done()
    } catch (error) {
      this.finish(protocol.errorResponse({ code: '08P01', message: `protocol violation: ${String(error)}`, severity: 'FATAL' }))
      done()
    }
  }

  override _final(done: () => void): void {
    this.#end(true)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#leave(true)
    done(error)
  }

  #end(abandon: boolean): void {
    if (!this.gone) this.push(null)
    this.#leave(abandon)
  }

  #leave(abandon: boolean): void {
    if (this.gone) return
    this.gone = true
    this.#host.leave(this, abandon)
  }

  #step(): boolean {
    if (this.gone) return false
    const message = this.#started ? this.#reader.next() : this.#reader.nextStartup()
    if (message === null) return false
    if (this.#started) this.#receive(message)
    else this.#open(message)
    return true
  }

  #open(packet: Buffer): void {
    const request = packet.readInt32BE(4)
    if (request === protocol.SSL_REQUEST || request === protocol.GSS_REQUEST) return this.deliver(Buffer.from('N'))
    // A statement cannot be interrupted without ending the engine, so the request is passed over, as the protocol allows.
    if (request === protocol.CANCEL_REQUEST) return this.#end(true)
    if (request >> 16 !== 3) throw new RangeError(`protocol version ${request >> 16}`)
    this.#started = true
    this.useSettings(startupSettings(packet))
    const key = Buffer.alloc(8)
    key.writeInt32BE(this.id, 0)
    this.deliver(
      Buffer.concat([protocol.build('R', Buffer.alloc(4)), this.#host.parameters, protocol.build('K', key), protocol.readyForQuery('I')]),
    )
  }

  useSettings(settings: Settings): void {
    this.settings = settings
    this.key = settingsKey(settings)
    this.timeoutMs = timeoutMs(settings.get('statement_timeout') ?? '')
  }

  #receive(message: Buffer): void {
    const type = protocol.typeOf(message)
    if (type === 'X') return this.#end(false)
    if (this.skipping && type !== 'S') return
    switch (type) {
      case 'Q':
        this.#simple(message)
        return this.#group.copiesIn ? this.deliver(COPY_IN_RESPONSE) : this.#submit('query')
      case 'F':
        this.#group.parts.push(message)
        return this.#submit('query')
      case 'P':
        return this.#parse(message)
      case 'B': {
        const portal = protocol.stringAt(message, 5)
        return this.#use(this.#rename(this.#rename(message, portal.next), 5), protocol.stringAt(message, portal.next).text)
      }
      case 'D':
      case 'C':
        return this.#describeOrClose(message, type)
      case 'E':
        this.#group.parts.push(this.#rename(message, 5))
        return
      case 'H':
        this.#group.parts.push(message)
        return this.#submit('flush')
      case 'S':
        this.skipping = false
        this.#group.parts.push(message)
        return this.#submit('sync')
      case 'd':
      case 'c':
      case 'f':
        return this.#copy(message, type)
      default:
        throw new RangeError(`message type ${JSON.stringify(type)}`)
    }
  }

  #simple(message: Buffer): void {
    const { text } = protocol.stringAt(message, 5)
    const inspection = inspect(text)
    this.#group.inspections.push(inspection)
    this.#group.copiesIn = inspection.copiesIn
    this.#group.parts.push(inspection.sql === text ? message : protocol.query(inspection.sql))
  }

  /** The engine gets a COPY with all of its data at once: it cannot wait for more. */
  #copy(message: Buffer, type: 'd' | 'c' | 'f'): void {
    if (!this.#group.copiesIn) return
    this.#copiedBytes += message.length
    if (this.#copiedBytes > LARGEST_COPY) throw new RangeError(`COPY FROM STDIN with more than ${LARGEST_COPY} bytes`)
    this.#group.parts.push(message)
    if (type === 'd') return
    this.#copiedBytes = 0
    this.#submit('query')
  }

  #parse(message: Buffer): void {
    const name = protocol.stringAt(message, 5)
    const text = protocol.stringAt(message, name.next)
    const inspection = withoutCopy(inspect(text.text))
    const rewritten = inspection.sql === text.text ? message : protocol.build('P', name.text, inspection.sql, message.subarray(text.next))
    const parse = this.#rename(rewritten, 5)
    const statement = { parse, inspection }
    if (name.text === '') {
      this.unnamed = statement
      this.#group.parsesUnnamed = true
    } else {
      this.#statements.set(this.#prefix + name.text, statement)
      this.#group.prepares.set(this.#prefix + name.text, statement)
    }
    if (inspection.refusal !== null) this.#group.inspections.push(inspection)
    this.#group.parts.push(parse)
  }

  /** Takes in a message that uses a prepared statement. */
  #use(message: Buffer, name: string): void {
    const statement = name === '' ? this.unnamed : this.#statements.get(this.#prefix + name)
    if (statement) this.#group.inspections.push(statement.inspection)
    if (name === '' && !this.#group.parsesUnnamed) this.#group.needsUnnamed = true
    this.#group.parts.push(message)
  }

  #describeOrClose(message: Buffer, type: 'D' | 'C'): void {
    const name = protocol.stringAt(message, 6).text
    const renamed = this.#rename(message, 6)
    const isStatement = message[5] === 'S'.charCodeAt(0)
    if (isStatement && type === 'D' && name === '' && !this.#group.parsesUnnamed) this.#group.needsUnnamed = true
    if (isStatement && type === 'C' && name !== '') {
      this.#statements.delete(this.#prefix + name)
      this.#group.prepares.set(this.#prefix + name, null)
    }
    this.#group.parts.push(renamed)
  }

  /** The name at `at` becomes this connection's own; the unnamed stays so, it is put back by the gateway. */
  #rename(message: Buffer, at: number): Buffer {
    return message[at] === 0 ? message : protocol.insertAt(message, at, Buffer.from(this.#prefix))
  }

  #submit(ends: Group['ends']): void {
    const group = { ...this.#group, connection: this, ends, since: performance.now() }
    this.#group = emptyGroup()
    this.#host.submit(group)
  }
}

export function emptyGroup(): Omit<Group, 'connection' | 'ends' | 'since'> {
  return { parts: [], inspections: [], prepares: new Map(), needsUnnamed: false, parsesUnnamed: false, copiesIn: false, task: null }
}

const LOG_LOST = protocol.errorResponse({
  code: '57P02',
  message: 'the write-ahead log could not be flushed; it is not known whether the last transaction was kept',
  severity: 'FATAL',
})

/** The data of one COPY FROM STDIN is held in memory. */
const LARGEST_COPY = 256 * 2 ** 20

/** Text format, and no number of columns: the engine has not seen the statement yet. */
const COPY_IN_RESPONSE = protocol.build('G', Buffer.alloc(3))

const withoutCopy = (inspection: Inspection): Inspection =>
  inspection.copiesIn
    ? { ...inspection, refusal: { code: '0A000', message: 'COPY FROM STDIN is supported in the simple query protocol only' } }
    : inspection
