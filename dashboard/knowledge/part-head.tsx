import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** The description and the actions of a page of a knowledge base. */
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
