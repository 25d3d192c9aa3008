import { Box, Code } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'

/** A text with a copy button: a command, a configuration or a secret. @param name names the text for screen readers */
export function CopyableCode({ name, code }: { name: string; code: string }) {
  return (
    <Box pos="relative">
      <Code block tabIndex={0} role="region" aria-label={name} className="copyable">
        {code}
      </Code>
      <Box pos="absolute" top={4} right={4}>
        <CopyButton value={code} name={name} />
      </Box>
    </Box>
  )
}
