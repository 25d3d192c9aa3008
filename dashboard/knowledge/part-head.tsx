import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What a page of a base is about, and what can be done there. */
export function PartHead({ about, children }: { about: string; children: ReactNode }) {
  return (
    <Group justify="space-between" align="flex-start">
      <Text size="sm" c="dimmed" maw={640}>
        {about}
      </Text>
      {children}
    </Group>
  )
}
