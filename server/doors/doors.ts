import { difyDoors } from './dify/doors.ts'
import type { Door } from './door.ts'
import { mcpDoors } from './mcp/doors.ts'
import { openAiDoors } from './openai/doors.ts'
import { vapiDoors } from './vapi/doors.ts'

/** Every door beside the API. */
export const doors: readonly Door[] = [...mcpDoors, ...openAiDoors, ...difyDoors, ...vapiDoors]
