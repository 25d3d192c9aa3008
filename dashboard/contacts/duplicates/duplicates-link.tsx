import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../lib/workspace.ts'
import { DuplicatesLink as Shown } from '../../shell/duplicates/duplicates-link.tsx'
import { duplicateCountQuery } from './queries.ts'

/** A link to the pairs of contacts with their number. */
export function DuplicatesLink() {
  const { data } = useQuery(duplicateCountQuery(useWorkspace()))
  return <Shown count={data} to="/$organization/contacts/duplicates" />
}
