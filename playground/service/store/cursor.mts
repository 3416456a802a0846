export type Position = { updatedAt: number; seq: number };

const pattern = /^([0-9a-f]{8})-([0-9a-f]{4})-8f0c-a000-([0-9a-f]{12})$/i;

/**
 * Encodes a page position as a UUID version 8, whose content RFC 9562 leaves to the application. Needs no
 * stored state, and stays valid when the last form of a page is changed or deleted.
 */
export function toCursor({ updatedAt, seq }: Position): string {
	const time = updatedAt.toString(16).padStart(12, '0');
	return `${time.slice(0, 8)}-${time.slice(8)}-8f0c-a000-${seq.toString(16).padStart(12, '0')}`;
}

export function fromCursor(cursor: string): Position | null {
	const [, high, low, seq] = pattern.exec(cursor) ?? [];
	if (!high || !low || !seq) return null;
	return { updatedAt: Number.parseInt(high + low, 16), seq: Number.parseInt(seq, 16) };
}
