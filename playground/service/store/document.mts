type Row = { document: string };

export const documentIn = <Document,>(row: unknown): Document =>
	JSON.parse((row as Row).document) as Document;

export const foundIn = <Document,>(row: unknown): Document | null =>
	row === undefined ? null : documentIn<Document>(row);
