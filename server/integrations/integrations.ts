import { difyEndpoints } from './dify/endpoints.ts'
import type { IntegrationEndpoint } from './integration.ts'
import { mcpEndpoints } from './mcp/endpoints.ts'
import { openAiEndpoints } from './openai/endpoints.ts'
import { vapiEndpoints } from './vapi/endpoints.ts'

export const integrationEndpoints: readonly IntegrationEndpoint[] = [
  ...mcpEndpoints,
  ...openAiEndpoints,
  ...difyEndpoints,
  ...vapiEndpoints,
]
