import { ActionIcon, Button, Group, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useMessages } from '../messages/messages.ts'
import { DecimalInput } from '../shell/decimal-input.tsx'
import { emptyTax } from './draft-item.ts'
import type { LineProps } from './line-editor.tsx'
import type { TypedTax } from './totals.ts'
import { proposalMessages } from './messages.ts'

const maxTaxes = 3

/** Edits the taxes of a line. A single tax needs no name. */
export function LineTaxes({ item, onChange, errorOf }: LineProps) {
  const { form: words } = useMessages(proposalMessages)
  const { taxes } = item
  const change = (changed: readonly TypedTax[]): void => onChange({ ...item, taxes: changed })
  return (
    <>
      {taxes.map((tax, index) => (
        // A tax has no identity but its position, and its inputs have no state of their own.
        <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            flex={2}
            label={words.taxName(index + 1)}
            placeholder={words.taxNameHelp}
            value={tax.name}
            maxLength={60}
            onChange={({ currentTarget: { value } }) => change(taxes.with(index, { ...tax, name: value }))}
            error={errorOf(`taxes.${index}.name`)}
          />
          <DecimalInput
            flex={1}
            label={words.taxRate(index + 1)}
            value={tax.rate}
            onChange={(rate) => change(taxes.with(index, { ...tax, rate }))}
            error={errorOf(`taxes.${index}.rate`) ?? (index === 0 ? (errorOf('taxRate') ?? errorOf('taxes')) : undefined)}
          />
          {taxes.length > 1 && (
            <ActionIcon
              size={36}
              mt={24}
              variant="subtle"
              color="gray"
              aria-label={words.removeTax(index + 1)}
              onClick={() => change(taxes.toSpliced(index, 1))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {taxes.length < maxTaxes && taxes.some(({ rate }) => rate.trim() !== '') && (
        <Group>
          <Button size="xs" variant="subtle" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => change([...taxes, emptyTax])}>
            {words.addTax}
          </Button>
        </Group>
      )}
    </>
  )
}
