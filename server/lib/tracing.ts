/** The beginning of a span. Attributes never contain data of customers: no values of statements, no URLs that users entered. */
export interface SpanStart {
  readonly name: string
  readonly kind: 'server' | 'client' | 'producer' | 'consumer'
  readonly attributes?: Readonly<Record<string, string | number>>
  /** A `traceparent` that began elsewhere, and that this span continues. By default, a span continues the current one. */
  readonly parent?: string | undefined
  /** A `traceparent` that caused this span, which begins a trace of its own. */
  readonly link?: string | undefined
}

export interface Span {
  set(name: string, value: string | number): void
  rename(name: string): void
  /** Marks the operation as failed. */
  fail(): void
  /** The header of requests that continue this span; undefined if nothing is traced. */
  readonly traceparent: string | undefined
}

export interface OpenSpan extends Span {
  /** Runs `fn` and all that it starts in this span. */
  within<T>(fn: () => T): T
  end(): void
}

export interface Tracer {
  begin(start: SpanStart): OpenSpan
  /** Returns whether the caller runs in a span. */
  isInSpan(): boolean
}

const noSpan: Span = { set: () => undefined, rename: () => undefined, fail: () => undefined, traceparent: undefined }

/** One for the process, like the async context that it follows, so that no layer has to pass it on to the next one. */
let tracer: Tracer | null = null

/** Sets the tracer of the process; null ends tracing. */
export function useTracer(next: Tracer | null): void {
  tracer = next
}

export const currentTracer = (): Tracer | null => tracer

/** Runs the work in a span, which fails if the work throws. Without a tracer it only runs the work. */
export async function traced<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
  if (tracer === null) return work(noSpan)
  const span = tracer.begin(start)
  try {
    return await span.within(() => work(span))
  } catch (error) {
    span.fail()
    throw error
  } finally {
    span.end()
  }
}

/** Runs a statement in a span. Statements outside of a span, such as those of polling, are not traced. */
export function tracedStatement<T>(text: string, ask: () => Promise<T>): Promise<T> {
  if (tracer?.isInSpan() !== true) return ask()
  const { operation, table } = summaryOf(text)
  const name = table === undefined ? operation : `${operation} ${table}`
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.summary': name }
  return traced({ name, kind: 'client', attributes }, ask)
}

/** Returns the first keyword of a statement and its first table, and nothing that it compares or writes. */
function summaryOf(text: string): { operation: string; table: string | undefined } {
  const [operation = ''] = /[a-z]+/i.exec(text) ?? []
  const [, table] = /\b(?:from|into|update|join)\s+"?([a-z_][a-z0-9_.]*)/i.exec(text) ?? []
  return { operation: operation.toUpperCase(), table }
}
