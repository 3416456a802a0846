import { html, type Html } from './html.mts';

const links: Array<[href: string, text: string]> = [
	['/', 'Forms'],
	['/hooks', 'Hooks'],
	['/deliveries', 'Deliveries'],
	['/api/v1/openapi.json', 'API'],
];

const navigation = html`<nav>
	${links.map(([href, text]) => html`<a href="${href}">${text}</a>`)}
</nav>`;

export const page = (title: string, content: Html): string =>
	html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>${title} - Form service</title>
				<link rel="stylesheet" href="/style.css" />
			</head>
			<body>
				<header><strong>Form service</strong> ${navigation}</header>
				<main>
					<h1>${title}</h1>
					${content}
				</main>
			</body>
		</html> `.html;
