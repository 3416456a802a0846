const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

export type Html = { readonly html: string };

type Part = Html | string | number | null | undefined | false | Part[];

const isHtml = (part: unknown): part is Html =>
	typeof part === 'object' && part !== null && 'html' in part;

function render(part: Part): string {
	if (part === null || part === undefined || part === false) return '';
	if (Array.isArray(part)) return part.map(render).join('');
	if (isHtml(part)) return part.html;
	return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Escapes all parts except those that this tag made. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
	html: String.raw({ raw: strings }, ...parts.map(render)),
});
