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
 * Returns a function that returns the statement with other values, for `select`. The statement is built and compiled at the first
 * call only, which takes longer than running many a statement.
 * @param build receives placeholders of the values, which it may only pass on as parameters
 */
export function compiledStatement<Values extends Readonly<Record<string, unknown>>, Row>(
  names: readonly (keyof Values & string)[],
  build: (db: Transaction, values: Values) => Compilable<Row>,
): (values: Values) => (db: Transaction) => Compilable<Row> {
  let compiled: CompiledQuery<Row> | undefined
  return (values) => (db) => {
    compiled ??= build(db, placeholders(names)).compile()
    const { parameters, ...statement } = compiled
    const filled = { ...statement, parameters: parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value)) }
    return { compile: () => filled }
  }
}

/** The builder only passes values on, so that placeholders may have their types. */
const placeholders = <Values>(names: readonly (keyof Values & string)[]): Values =>
  Object.fromEntries(names.map((name) => [name, new Placeholder(name)])) as Values
