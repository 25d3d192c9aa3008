import type { Duplex } from 'node:stream'
import { emptyGroup, VirtualConnection, type Group, type Host, type Loss } from './connection.ts'
import { EngineLost, type Engine, type Log } from './engine.ts'
import { HoldClock, type OnHold } from './holds.ts'
import * as protocol from './protocol.ts'
import { splitReply, type Reply } from './reply.ts'
import { timeoutMs } from './settings.ts'
import { SharedSession, type Execute } from './shared-session.ts'

export interface GatewayOptions {
  /** Starts the engine: at first, and again after it was lost. */
  start(onLost: (error: EngineLost) => void): Promise<Engine>
  /** A group that runs longer ends the engine; a connection may set its own `statement_timeout`. */
  statementTimeoutMs: number
  /** How long a group waits behind another connection's open transaction. */
  waitMs: number
  /** How long a transaction may stay open without a statement. */
  idleTransactionMs: number
  log: Log
}

/** How busy the session is, for work that should not be in anyone's way. */
export interface Activity {
  idleMs: number
  inTransaction: boolean
  waiting: number
  walBytes: number
  syncs: number
}

const TICK_MS = 100
const DRAIN_MS = 5000
const CLOSE_MS = 30_000

/** Serializes many virtual connections onto the engine's one session, as a pooler in transaction mode would. */
export class Gateway implements Host {
  readonly #options: GatewayOptions
  readonly #connections = new Set<VirtualConnection>()
  readonly #session = new SharedSession()
  readonly #clock = new HoldClock()
  #queue: Group[] = []
  #engine: Engine | null = null
  #parameters: Buffer = Buffer.alloc(0)
  #owner: VirtualConnection | null = null
  /** When its transaction began, and when it last had an answer. */
  #ownedSince = 0
  #ownerActive = 0
  #running: Group | null = null
  /** Groups of the same connection that run together with `#running`. */
  #joined: Group[] = []
  #pumping = false
  #closing = false
  #nextId = 1
  #lastActive = performance.now()
  #drained: (() => void) | null = null
  #ticker: NodeJS.Timeout | null = null
  /** Counters of earlier engines. */
  #past = { syncs: 0, walBytes: 0 }

  constructor(options: GatewayOptions) {
    this.#options = options
  }

  get parameters(): Buffer {
    return this.#parameters
  }

  async open(): Promise<void> {
    this.#engine = await this.#start()
  }

  connect(): Duplex {
    const connection = new VirtualConnection(this, this.#nextId++)
    if (this.#closing) queueMicrotask(() => connection.finish(SHUTTING_DOWN))
    else this.#connections.add(connection)
    return connection
  }

  get activity(): Activity {
    const counters = this.#engine?.counters ?? { syncs: 0, walBytes: 0 }
    const busy = this.#running !== null || this.#queue.length > 0
    return {
      idleMs: busy ? 0 : performance.now() - this.#lastActive,
      inTransaction: this.#owner !== null,
      waiting: this.#queue.length,
      syncs: this.#past.syncs + counters.syncs,
      walBytes: this.#past.walBytes + counters.walBytes,
    }
  }

  /** Calls `listener` at the end of each hold of the session. */
  observeHolds(listener: OnHold): void {
    this.#clock.onHold = listener
  }

  submit(group: Group): void {
    if (this.#closing) return group.connection.finish(SHUTTING_DOWN)
    this.#queue.push(group)
    this.#watch()
    void this.#pump()
  }

  leave(connection: VirtualConnection, abandon: boolean): void {
    this.#connections.delete(connection)
    if (this.#closing) return
    if (abandon) this.#queue = this.#queue.filter((group) => group.connection !== connection)
    // Waits its turn like a group of messages.
    this.#queue.push({ ...emptyGroup(), connection, ends: 'sync', since: performance.now(), task: 'farewell' })
    void this.#pump()
  }

  /** Runs the groups that were already sent, for a limited time, then a checkpoint, so that the next start needs no recovery. */
  async close(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    const drained = this.#pumping ? new Promise<void>((resolve) => (this.#drained = resolve)) : Promise.resolve()
    await within(
      DRAIN_MS,
      drained.then(() => Promise.all([...this.#connections].map((connection) => connection.delivered()))),
    )
    for (const connection of this.#connections) connection.finish()
    this.#queue = []
    if (this.#ticker) clearInterval(this.#ticker)
    const engine = this.#engine
    this.#engine = null
    if (engine === null) return
    if (this.#running === null) {
      await engine
        .execute(protocol.joinOwned([protocol.sync(), protocol.query('ROLLBACK'), protocol.query('CHECKPOINT')]), CLOSE_MS)
        .catch(() => undefined)
      await engine.close(CLOSE_MS)
    } else {
      await engine.terminate()
    }
  }

  /** Ends at once, without a word to the disk: for a folder that is no longer ours. */
  async abort(reason: string): Promise<void> {
    this.#closing = true
    this.#queue = []
    const engine = this.#engine
    this.#engine = null
    await engine?.terminate()
    const fatal = protocol.errorResponse({ code: '57P01', message: reason, severity: 'FATAL' })
    for (const connection of this.#connections) connection.finish(fatal)
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return
    this.#pumping = true
    for (let group = this.#next(); group !== null; group = this.#next()) {
      this.#running = group
      this.#clock.enter(textsOf(group))
      try {
        await this.#run(group)
      } catch (error) {
        await this.#lose(error, group)
      }
      this.#clock.leave(this.#owner !== null)
      this.#running = null
      this.#lastActive = performance.now()
    }
    this.#pumping = false
    this.#drained?.()
  }

  /** The owner of the open transaction first and alone; else in order of arrival. */
  #next(): Group | null {
    const at = this.#owner === null ? 0 : this.#queue.findIndex((group) => group.connection === this.#owner)
    return (at < 0 ? undefined : this.#queue.splice(at, 1)[0]) ?? null
  }

  async #run(group: Group): Promise<void> {
    const { connection } = group
    if (group.task === 'farewell') return this.#sayFarewell(connection)
    if (group.task === 'rollback') return this.#rollBack(connection)
    if (connection.loss?.told === false) return this.#tellLoss(group, connection.loss)
    const engine = await this.#ready()
    for (const { localTimeout } of group.inspections) if (localTimeout !== null) connection.localTimeoutMs = timeoutMs(localTimeout)
    const limit = connection.localTimeoutMs ?? connection.timeoutMs ?? this.#options.statementTimeoutMs
    const execute: Execute = async (bytes, limitMs = limit) => {
      const before = engine.counters
      const reply = await engine.execute(bytes, limitMs)
      this.#clock.worked(engine.counters.busyMs - before.busyMs, engine.counters.syncMs - before.syncMs)
      return reply
    }
    const failure = await this.#session.enter(group, execute, this.#owner === connection)
    if (failure !== null) return this.#answer(group, failure, connection.loss !== null)
    const refusal = refusalOf(group)
    if (refusal === null && this.#owner === connection) this.#join(group)
    const groups = [group, ...this.#joined]
    // Raised by the engine itself, so that an open transaction fails as it would on a server.
    const bytes = refusal === null ? groups.flatMap(({ parts }) => parts) : [protocol.raise(refusal)]
    const replies = splitReply(await execute(protocol.joinOwned(bytes), limit * groups.length))
    if (this.#joined.length > 0 && replies.length !== groups.length) throw new Error('the engine did not answer each group of statements')
    this.#joined = []
    for (const [at, reply] of replies.entries()) await this.#deliver(groups[at] ?? group, reply, engine, execute)
    if (refusal !== null && group.ends === 'flush') this.#skip(connection)
  }

  /**
   * Takes the groups that the owner of the transaction has sent after this one, up to the end of the transaction: each exchange with
   * the engine's thread waits for the processor, 20 ms and more on a busy machine.
   */
  #join(group: Group): void {
    for (let last = group; !endsTransaction(last);) {
      const at = this.#queue.findIndex(({ connection }) => connection === group.connection)
      const next = this.#queue[at]
      if (next === undefined || !isJoinable(last) || !isJoinable(next)) return
      this.#queue.splice(at, 1)
      this.#joined.push(next)
      this.#clock.enter(textsOf(next))
      last = next
    }
  }

  /** Hands the engine's answer to one group over to its connection. */
  async #deliver(group: Group, reply: Reply, engine: Engine, execute: Execute): Promise<void> {
    const { connection } = group
    this.#own(reply.status === 'I' ? null : connection)
    if (reply.status === 'I') {
      connection.loss = null
      connection.localTimeoutMs = undefined
    }
    this.#session.ran(group, reply.failed)
    if (reply.status === 'I') await this.#session.save(execute)
    // Rows read inside a transaction leave the program only with the answer to its end.
    const flushed = reply.status === 'I' ? engine.flushed() : null
    const answer = group.copiesIn ? withoutCopyIn(reply.answer) : reply.answer
    connection.deliverAfter(flushed, ...answer, ...(group.ends === 'flush' ? [] : reply.ready))
    for (const notification of reply.notifications) this.#notify(notification, connection.id, flushed)
  }

  async #rollBack(connection: VirtualConnection): Promise<void> {
    if (this.#owner !== connection || this.#engine === null) return
    const message = `the transaction was left open for ${this.#options.idleTransactionMs} ms and was rolled back`
    connection.loss = { told: false, refusal: { code: '25P03', message } }
    await this.#engine.execute(protocol.joinOwned([protocol.sync(), protocol.query('ROLLBACK')]), this.#options.statementTimeoutMs)
    this.#own(null)
  }

  async #sayFarewell(connection: VirtualConnection): Promise<void> {
    const owned = this.#owner === connection
    this.#owner = owned ? null : this.#owner
    const bytes = this.#session.farewell(connection, owned)
    if (bytes.length > 0 && this.#engine !== null) await this.#engine.execute(protocol.joinOwned(bytes), this.#options.statementTimeoutMs)
  }

  #notify(notification: Buffer, senderId: number, flushed: Promise<void> | null): void {
    const { text } = protocol.stringAt(notification, 9)
    const copy = Buffer.from(notification)
    copy.writeInt32BE(senderId, 5)
    for (const connection of this.#connections) if (connection.channels.has(text)) connection.deliverAfter(flushed, copy)
  }

  #own(connection: VirtualConnection | null): void {
    const now = performance.now()
    if (connection !== this.#owner) this.#ownedSince = now
    this.#owner = connection
    this.#ownerActive = now
    if (connection !== null) this.#watch()
  }

  /** An answer that the engine had no part in. */
  #answer(group: Group, error: Buffer, inTransaction: boolean): void {
    if (group.ends === 'flush') {
      this.#skip(group.connection)
      return group.connection.deliver(error)
    }
    group.connection.deliver(error, protocol.readyForQuery(inTransaction ? 'E' : 'I'))
  }

  /** Ignores everything that the connection has sent before its next Sync. */
  #skip(connection: VirtualConnection): void {
    const mine = this.#queue.filter((group) => group.connection === connection)
    const until = mine.findIndex((group) => group.ends === 'sync')
    const passed = new Set(until < 0 ? mine : mine.slice(0, until))
    this.#queue = this.#queue.filter((group) => !passed.has(group))
    const end = mine[until]
    if (end) Object.assign(end, { parts: [protocol.sync()], inspections: [], needsUnnamed: false })
    else connection.skipping = true
  }

  #tellLoss(group: Group, loss: Loss): void {
    loss.told = true
    this.#answer(group, protocol.errorResponse(loss.refusal), true)
  }

  async #ready(): Promise<Engine> {
    this.#engine ??= await this.#start()
    return this.#engine
  }

  async #start(): Promise<Engine> {
    const engine = await this.#options.start((error) => this.#forget(error))
    this.#parameters = engine.parameters
    const channels = new Set([...this.#connections].flatMap((connection) => [...connection.channels]))
    this.#session.restarted()
    if (channels.size > 0) {
      const sql = [...channels].map((channel) => `LISTEN ${protocol.quoteIdentifier(channel)}`).join(';')
      await engine.execute(protocol.joinOwned([protocol.query(sql)]), this.#options.statementTimeoutMs)
    }
    return engine
  }

  /** The engine ended while `group` ran or could not be started for it. */
  async #lose(error: unknown, group: Group): Promise<void> {
    const timeout = error instanceof EngineLost && error.reason === 'timeout'
    const message = error instanceof Error ? error.message : String(error)
    const wasOwner = this.#owner === group.connection || group.connection.loss !== null
    if (!(error instanceof EngineLost)) await this.#engine?.terminate()
    this.#forget(error)
    const refusal = timeout ? { code: '57014', message } : { code: '57P02', message: `${RESTARTED}; try again (${message})` }
    if (wasOwner) group.connection.loss = { told: group.task === null, refusal }
    const unanswered = group.task === null ? [group, ...this.#joined] : []
    this.#joined = []
    for (const each of unanswered) this.#answer(each, protocol.errorResponse(refusal), wasOwner)
  }

  #forget(error: unknown): void {
    if (this.#engine !== null) {
      this.#past.syncs += this.#engine.counters.syncs
      this.#past.walBytes += this.#engine.counters.walBytes
    }
    this.#engine = null
    if (this.#owner !== null && this.#owner !== this.#running?.connection) {
      const message = `${RESTARTED} and the open transaction was rolled back; try again`
      this.#owner.loss = { told: false, refusal: { code: '57P02', message } }
    }
    this.#owner = null
    if (!this.#closing) this.#options.log('warn', RESTARTED, { reason: String(error) })
  }

  #watch(): void {
    if (this.#ticker !== null) return
    this.#ticker = setInterval(() => this.#tick(), TICK_MS).unref()
  }

  #tick(): void {
    const owner = this.#owner
    if (owner === null) {
      if (this.#queue.length > 0 || this.#ticker === null) return
      clearInterval(this.#ticker)
      this.#ticker = null
      return
    }
    const now = performance.now()
    const { waitMs, idleTransactionMs } = this.#options
    const isLate = (group: Group): boolean =>
      group.connection !== owner && group.task === null && now - Math.max(group.since, this.#ownedSince) > waitMs
    const late = this.#queue.filter(isLate)
    this.#queue = this.#queue.filter((group) => !isLate(group))
    const message = `waited ${waitMs} ms behind another connection's open transaction: the embedded database has one session`
    for (const group of late) this.#answer(group, protocol.errorResponse({ code: '55P03', message }), false)
    if (this.#running === null && now - this.#ownerActive > idleTransactionMs) {
      this.#options.log('warn', 'a transaction was left open and is rolled back', { idleMs: Math.round(now - this.#ownerActive) })
      this.#queue.unshift({ ...emptyGroup(), connection: owner, ends: 'sync', since: now, task: 'rollback' })
      void this.#pump()
    }
  }
}

/** Waits for the work, but not longer than this. */
async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let limit: NodeJS.Timeout | undefined
  await Promise.race([work, new Promise((resolve) => (limit = setTimeout(resolve, limitMs)))])
  clearTimeout(limit)
}

/** Statement texts of a group; the gateway's own tasks go by their names. */
const textsOf = ({ task, inspections }: Group): string[] => (task === null ? inspections.map(({ sql }) => sql) : [task])

const refusalOf = ({ inspections }: Group): protocol.Refusal | null => inspections.find(({ refusal }) => refusal !== null)?.refusal ?? null

/** Only groups that need nothing but to run. */
const isJoinable = (group: Group): boolean =>
  group.task === null &&
  group.ends !== 'flush' &&
  !group.copiesIn &&
  !group.needsUnnamed &&
  refusalOf(group) === null &&
  group.inspections.every(({ localTimeout }) => localTimeout === null)

/** The connection has sent the CopyInResponse itself, to get the data. */
const withoutCopyIn = (answer: readonly Buffer[]): Buffer[] =>
  answer.flatMap((part) => [...protocol.messages(part)]).filter((message) => protocol.typeOf(message) !== 'G')

const endsTransaction = ({ inspections }: Group): boolean =>
  inspections.some(({ sql }) => /^\s*(?:commit|end|abort|rollback(?! to))\b/i.test(sql))

const RESTARTED = 'the embedded database stopped and is opened again'
const SHUTTING_DOWN = protocol.errorResponse({ code: '57P01', message: 'the embedded database is closing', severity: 'FATAL' })
