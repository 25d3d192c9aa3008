import type { SpanStart } from '../lib/tracing.ts'

/** The fields that this module adds to the data of a job. */
interface Added {
  readonly handler?: string
  readonly traceparent?: string
}

/** Returns the handler of a job that is dispatched by name. */
export const handlerOf = (data: object): string | undefined => (data as Added).handler

/** Returns the span in which the job was added, if it was traced. */
export const traceparentOf = (data: object): string | undefined => (data as Added).traceparent

const verbs = { producer: 'send', consumer: 'process' } as const

/** Returns the span of adding or running a job of this name. */
export function spanOf(kind: 'producer' | 'consumer', name: string): SpanStart {
  const verb = verbs[kind]
  const attributes = { 'messaging.system': 'pg-boss', 'messaging.destination.name': name, 'messaging.operation.type': verb }
  return { name: `${verb} ${name}`, kind, attributes }
}
