import { describe, expect, test } from 'vitest'
import { contractSource, typeOf, type Schema } from './contract-source.ts'

describe('the type of a schema', () => {
  test.each<[schema: Schema, type: string]>([
    [{}, 'unknown'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', "b's", null] }, "'a' | 'b\\'s' | null"],
    [{ const: 'file' }, "'file'"],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'integer' }] }, 'string | number'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Contact' } }, 'Contact[]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'Record<string, string>'],
    [{ $ref: '#/components/schemas/Error' }, 'ErrorReply'],
  ])('%j', (schema, type) => expect(typeOf(schema)).toBe(type))

  test('has comments and optional properties', () => {
    const schema: Schema = {
      type: 'object',
      properties: { id: { type: 'string', description: 'The */ id.' }, 'x-y': { type: 'object', properties: { z: { type: 'boolean' } } } },
      required: ['id'],
    }
    expect(typeOf(schema)).toBe("{\n  /** The *\\/ id. */\n  id: string\n  'x-y'?: {\n    z?: boolean | undefined\n  } | undefined\n}")
  })
})

test('the contract has a type for each schema, and for each operation with query parameters; "true"/"false" become boolean', () => {
  const parameters = [
    { name: 'limit', in: 'query', required: false, schema: { type: 'integer' } },
    { name: 'count', in: 'query', required: false, schema: { enum: ['true', 'false'] } },
    { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
  ]
  const source = contractSource({
    components: {
      schemas: { Contact: { type: 'object', description: 'A person.', properties: { id: { type: 'string' } }, required: ['id'] } },
    },
    paths: {
      '/v1/contacts': { get: { operationId: 'contacts.list', parameters }, post: { operationId: 'contacts.create', parameters: [] } },
    },
  })
  expect(source).toContain('/** A person. */\nexport type Contact = {\n  id: string\n}\n')
  expect(source).toContain('export type ContactsListQuery = {\n  limit?: number | undefined\n  count?: boolean | undefined\n}\n')
  expect(source).not.toContain('ContactsCreateQuery')
})
