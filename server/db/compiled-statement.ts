import type { Compilable, CompiledQuery } from 'kysely'
import type { Transaction } from './schema.ts'

/** Stands for a value while a statement is compiled. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Every property is its placeholder. The builder only passes them on, so they may have the types of the values. */
const placeholders: unknown = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) })

/**
 * Returns a function that returns the statement with other values, for `select`. The statement is built and compiled at the first
 * call only, because that takes longer than running many a statement.
 * @param build receives placeholders of the values, which it may only pass on as parameters
 */
export function compiledStatement<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (db: Transaction, values: Values) => Compilable<Row>,
): (values: Values) => (db: Transaction) => Compilable<Row> {
  let compiled: CompiledQuery<Row> | undefined
  return (values) => (db) => {
    compiled ??= build(db, placeholders as Values).compile()
    const { parameters, ...statement } = compiled
    const filled = { ...statement, parameters: parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value)) }
    return { compile: () => filled }
  }
}
