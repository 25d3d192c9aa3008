import { engineName } from './program.ts'

const embedded = { DATABASE_URL: '' }

/** A move from one database engine to another, and the settings of both programs. */
interface Move {
  readonly from: string
  readonly to: string
  readonly source: Record<string, string>
  readonly target: Record<string, string>
}

const toPostgres: Move = { from: 'the embedded engine', to: 'PostgreSQL', source: embedded, target: {} }
const fromPostgres: Move = { from: 'PostgreSQL', to: 'the embedded engine', source: {}, target: embedded }

/** Returns the moves that a test makes on the engine of this run: one of those between both engines, and the other in `npm run test:full`. */
export function movesWith(usual: 'to PostgreSQL' | 'from PostgreSQL'): Move[] {
  if (engineName() !== 'PostgreSQL') return [{ from: 'the embedded engine', to: 'another data folder', source: embedded, target: embedded }]
  if (process.env['MOVES'] === 'both') return [toPostgres, fromPostgres]
  return [usual === 'to PostgreSQL' ? toPostgres : fromPostgres]
}
