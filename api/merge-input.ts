import { z } from 'zod'
import { idInput, type IdPrefix } from './schemas.ts'

/** Days in which a merge can be undone. */
export const unmergeDays = 30

/** Maximum number of records that become part of another one in one merge. */
const maxOthers = 10

/** Maximum number of ids of each kind in the answer of an undone merge. */
export const maxListed = 100
/** Describes a list of ids in the answer of an undone merge. */
export const listedSince = (records: string) => `Ids of ${records} since the merge, newest first; at most ${maxListed}.`

interface MergedRecords {
  readonly prefix: IdPrefix
  /** What a record is called: `contact` and `contacts`. */
  readonly names: readonly [one: string, many: string]
  /** The fields whose value can be chosen. */
  readonly choosable: readonly string[]
  /** A further sentence about choices. */
  readonly note?: string
}

/** Returns the properties of a request that merges records into the one in the path. */
export function mergeInput({ prefix, names: [one, many], choosable, note = '' }: MergedRecords) {
  const pattern = `^(?:${choosable.join('|')}|customFields\\.fld_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$`
  const field = z.string().regex(new RegExp(pattern), 'must be a field with one value, or customFields.fld_<uuid>')
  const list = choosable.map((name) => `\`${name}\``).join(', ')
  return {
    otherIds: z
      .array(idInput(prefix))
      .min(1)
      .max(maxOthers)
      .describe(`Ids of the ${many} that become part of this one, at most ${maxOthers}. Those that are part of it already are ignored.`),
    fields: z
      .record(field, idInput(prefix))
      .optional()
      .describe(
        `For a field, the id of the ${one} whose value stays. Other fields keep their value, or take that of the first other ${one} with one.${note} Fields: ${list}, and \`customFields.fld_<uuid>\`.`,
      ),
    dryRun: z.boolean().optional().describe('true changes nothing and returns the answer of a merge at this time. false by default.'),
  }
}
