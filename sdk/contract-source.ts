/** The part of JSON Schema that determines a type. Other keywords limit values. */
export interface Schema {
  $ref?: string
  description?: string | undefined
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}

export interface QueryParameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema?: Schema
}

interface Contract {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, { operationId: string; parameters: QueryParameter[] }>>
}

/** Names that differ from the component, because the component is named like a global of JavaScript. */
const renamed: Readonly<Record<string, string>> = { Error: 'ErrorReply' }

/** A longer list of strings, such as the currencies, becomes `string`. */
const maxLiterals = 150

/** Returns the source of `contract.ts`: the types of all records, bodies and queries, generated from the OpenAPI document. */
export function contractSource({ components, paths }: Contract): string {
  const records = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${nameOf(name)} = ${typeOf(schema)}\n`,
  )
  const queries = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .map(({ operationId, parameters }) => ({ operationId, query: parameters.filter((parameter) => parameter.in === 'query') }))
    .filter(({ query }) => query.length > 0)
    .map(({ operationId, query }) => `export type ${queryName(operationId)} = ${typeOf(objectOf(query))}\n`)
  return ['// Generated from the route table by npm run sdk:generate. Do not edit.\n', ...records, ...queries].join('\n')
}

/** Returns the name of the query type of an operation: `ContactsListQuery` for `contacts.list`. */
export const queryName = (operationId: string): string =>
  `${operationId
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')}Query`

/** @param namespace prefix of the names of other types */
export function typeOf(schema: Schema, namespace = '', indent = ''): string {
  const nested = (inner: Schema): string => typeOf(inner, namespace, indent)
  if (schema.$ref !== undefined) return namespace + nameOf(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1))
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.length > maxLiterals ? 'string' : schema.enum.map(literal).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(nested))].join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => nested({ ...schema, type })).join(' | ')
  switch (schema.type) {
    case 'integer':
      return 'number'
    case 'array':
      return arrayOf(nested(schema.items ?? {}))
    case 'object':
      return objectType(schema, namespace, indent)
    case undefined:
      return 'unknown'
    default:
      return schema.type
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, namespace: string, indent: string): string {
  const inner = `${indent}  `
  const entries = Object.entries(properties)
  if (entries.length === 0) {
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, namespace, indent) : 'unknown'}>`
  }
  const lines = entries.map(([name, schema]) => {
    const type = typeOf(schema, namespace, inner)
    const key = /^[\w$]+$/.test(name) ? name : `'${name}'`
    return `${comment(schema.description, inner)}${inner}${key}${required.includes(name) ? `: ${type}` : `?: ${type} | undefined`}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

const arrayOf = (type: string): string => (/^[\w.]+$/.test(type) ? `${type}[]` : `(${type})[]`)

const objectOf = (query: readonly QueryParameter[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    query.map(({ name, description, schema = {} }) => [name, { ...(isFlag(schema) ? { type: 'boolean' } : schema), description }]),
  ),
  required: query.filter(({ required }) => required).map(({ name }) => name),
})

/** A boolean is text in a URL. The client converts it. */
const isFlag = ({ enum: values }: Schema): boolean => values?.length === 2 && values.includes('true') && values.includes('false')

const nameOf = (component: string): string => renamed[component] ?? component
const literal = (value: unknown): string => (typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : String(value))
const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`
