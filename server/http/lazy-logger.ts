import type { FastifyBaseLogger } from 'fastify'
import type { Bindings, Logger } from 'pino'

/** A child logger created on first use. Most requests log only one line at their end, and creating a pino child for each is slow. */
export class LazyLogger implements FastifyBaseLogger {
  readonly #parent: Logger
  readonly #bindings: Bindings
  #child: Logger | undefined

  constructor(parent: Logger, bindings: Bindings) {
    this.#parent = parent
    this.#bindings = bindings
  }

  get #logger(): Logger {
    return (this.#child ??= this.#parent.child(this.#bindings))
  }

  child(bindings: Bindings): LazyLogger {
    return new LazyLogger(this.#parent, { ...this.#bindings, ...bindings })
  }

  get level(): string {
    return this.#logger.level
  }

  get fatal(): Logger['fatal'] {
    return this.#logger.fatal.bind(this.#logger)
  }

  get error(): Logger['error'] {
    return this.#logger.error.bind(this.#logger)
  }

  get warn(): Logger['warn'] {
    return this.#logger.warn.bind(this.#logger)
  }

  get info(): Logger['info'] {
    return this.#logger.info.bind(this.#logger)
  }

  get debug(): Logger['debug'] {
    return this.#logger.debug.bind(this.#logger)
  }

  get trace(): Logger['trace'] {
    return this.#logger.trace.bind(this.#logger)
  }

  get silent(): Logger['silent'] {
    return this.#logger.silent.bind(this.#logger)
  }
}
