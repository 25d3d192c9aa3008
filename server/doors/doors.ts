import type { Door } from './door.ts'
import { mcpDoors } from './mcp/doors.ts'

/** Every door beside the API. */
export const doors: readonly Door[] = [...mcpDoors]
