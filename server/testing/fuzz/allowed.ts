import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Document, Schema } from './document.ts'
import { valueOf, type GeneratorContext } from './values.ts'

/** Attempts after which a schema counts as unsatisfiable. */
const maxDraws = 500

/** Generates bodies that the document allows: draws values from a schema until one validates. */
export function allowedBodies(document: Document): (schema: Schema, context: GeneratorContext) => unknown {
  const ajv = new Ajv2020({ strict: false, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'api', components: document.components })
  const compiled = new Map<Schema, ValidateFunction>()
  return (schema, context) => {
    const withRegisteredReferences = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')) as Schema
    const validate = compiled.get(schema) ?? ajv.compile(withRegisteredReferences)
    compiled.set(schema, validate)
    for (let draw = 0; draw < maxDraws; draw += 1) {
      const body = valueOf(schema, { ...context, withoutExamples: true })
      if (validate(body)) return body
    }
    throw new Error(`no body was found that the document allows: ${JSON.stringify(validate.errors?.slice(0, 3))}`)
  }
}
