import type { Session } from '../../../playground/n8n/session.mts';
import type { JsonObject } from '../../../playground/n8n/types.mts';

interface DataTable {
	id: string;
	name: string;
	projectId: string;
}

/** The rows of the table of this name; fails where there is none, or more than one. */
export async function readRows(session: Session, name: string): Promise<JsonObject[]> {
	const query = new URLSearchParams({ filter: JSON.stringify({ name }) });
	const { data } = await session.get<{ data: DataTable[] }>(`/data-tables-global?${query}`);
	const named = data.filter((table) => table.name === name);
	if (named.length !== 1) throw new Error(`There are ${named.length} tables named "${name}".`);
	const { projectId, id } = named[0]!;
	const path = `/projects/${projectId}/data-tables/${id}/rows`;
	return (await session.get<{ data: JsonObject[] }>(path)).data;
}
