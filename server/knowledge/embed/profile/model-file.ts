import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** Returns the path of a file about a model in the folder of records, by the hash of the model's name. */
export const modelFile = (records: string, model: string, ending: string): string =>
  join(records, `${createHash('sha256').update(model).digest('hex').slice(0, 16)}.${ending}`)
