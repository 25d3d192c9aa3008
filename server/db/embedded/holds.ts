/** The time in which one connection kept all others from the session: a transaction, or a single statement. */
export interface Hold {
  /** From the start of the first statement to the end of the last one. */
  readonly ms: number
  /** The part in which the engine's thread worked. */
  readonly engineMs: number
  /** The part of `engineMs` in which it waited for the disk. */
  readonly syncMs: number
  /** The part in which the owner of the transaction had its answer and had not sent its next statement. */
  readonly idleMs: number
  /** Texts of the statements in order, without values. */
  readonly statements: readonly string[]
}

export type OnHold = (hold: Hold) => void

/** Longest list of statements that a hold names; a transaction may run thousands. */
const maxStatements = 50
const maxTextLength = 200

/** Measures how long each connection owns the engine's session. */
export class HoldClock {
  onHold: OnHold | null = null
  #since: number | null = null
  #idleSince: number | null = null
  #idleMs = 0
  #engineMs = 0
  #syncMs = 0
  #texts: string[] = []

  /** The owner's next group of statements begins, or the first one of a new owner. */
  enter(texts: readonly string[]): void {
    const now = performance.now()
    this.#since ??= now
    if (this.#idleSince !== null) this.#idleMs += now - this.#idleSince
    this.#idleSince = null
    if (this.#texts.length < maxStatements) this.#texts.push(...texts)
  }

  /** Adds time in which the engine's thread worked, and the part of it in which it waited for the disk. */
  worked(ms: number, syncMs: number): void {
    this.#engineMs += ms
    this.#syncMs += syncMs
  }

  /** The group is done; `owned` tells whether a transaction stays open. */
  leave(owned: boolean): void {
    const now = performance.now()
    if (owned) {
      this.#idleSince = now
      return
    }
    const hold = { ms: now - (this.#since ?? now), engineMs: this.#engineMs, syncMs: this.#syncMs, idleMs: this.#idleMs }
    const texts = this.#texts
    this.#since = null
    this.#idleSince = null
    this.#idleMs = 0
    this.#engineMs = 0
    this.#syncMs = 0
    this.#texts = []
    this.onHold?.({
      ...hold,
      get statements() {
        return texts.slice(0, maxStatements).map(withoutValues)
      },
    })
  }
}

/** The statement on one line, its literals replaced and its end cut off. */
function withoutValues(sql: string): string {
  return sql
    .slice(0, 4 * maxTextLength)
    .replaceAll(/'(?:[^']|'')*'?/g, '?')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxTextLength)
}
