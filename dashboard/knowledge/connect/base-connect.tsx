import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useWorkspace } from '../../lib/workspace.ts'
import { baseQuery } from '../queries.ts'
import { Connect } from './connect.tsx'

const route = getRouteApi('/$organization/knowledge/$baseId/connect')

/** The tab of a knowledge base. */
export function BaseConnect() {
  const { baseId } = route.useParams()
  const { tab, q } = route.useSearch()
  const navigate = route.useNavigate()
  const base = useQuery(baseQuery(useWorkspace(), baseId))
  if (base.data === undefined) return null
  return (
    <Connect
      key={baseId}
      base={base.data}
      question={q}
      integration={tab}
      choose={(next) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
    />
  )
}
