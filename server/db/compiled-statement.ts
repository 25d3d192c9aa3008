import type { Compilable, CompiledQuery } from 'kysely'
import type { Transaction } from './schema.ts'

/** Stands for a value while a statement is compiled. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * Returns a function that returns the statement with other values. The statement is built and compiled at the first
 * call only, because that takes longer than running many a statement; if some values can be undefined, once for each set of defined
 * values.
 * @param build receives placeholders of the defined values, which it may only pass on as parameters
 */
export function compiledStatement<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (db: Transaction, values: Values) => Compilable<Row>,
): (values: Values) => (db: Transaction) => Compilable<Row> {
  const compiled = new Map<string, CompiledQuery<Row>>()
  return (values) => (db) => {
    const defined = Object.keys(values).filter((name) => values[name] !== undefined)
    const key = defined.toSorted().join()
    let statement = compiled.get(key)
    if (statement === undefined) {
      // The builder only passes placeholders on, so they may have the types of the values.
      const placeholders: unknown = Object.fromEntries(defined.map((name) => [name, new Placeholder(name)]))
      statement = build(db, placeholders as Values).compile()
      compiled.set(key, statement)
    }
    const parameters = statement.parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value))
    const filled = { ...statement, parameters }
    return { compile: () => filled }
  }
}
