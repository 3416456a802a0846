import { html, type Html } from './html.mts';

const links = [
	['/', 'Forms'],
	['/playground/hooks', 'Hooks'],
	['/playground/deliveries', 'Deliveries'],
	['/api/v1/openapi.json', 'API (JSON)'],
];

export const page = (title: string, content: Html): string =>
	html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>${title} - Form service</title>
				<link rel="stylesheet" href="/style.css" />
			</head>
			<body class="container">
				<nav>
					<ul>
						<li><strong>Form service</strong></li>
					</ul>
					<ul>
						${links.map(([href, text]) => html`<li><a href="${href}">${text}</a></li>`)}
					</ul>
				</nav>
				<main>
					<h1>${title}</h1>
					${content}
				</main>
			</body>
		</html> `.html;
