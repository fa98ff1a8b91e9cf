"""Pages are written for GitHub; this is what mkdocs has to read otherwise."""

import os
import posixpath
import re

LINK = re.compile(r"(\]\()((?:\.\./)+[^)\s#]*)(#[^)\s]*)?(\))")
FENCE = re.compile(r"^\s*(```|~~~)")


def on_page_markdown(markdown, page, config, files):
    here = posixpath.dirname(page.file.src_uri)
    lines, fenced = [], False
    for line in markdown.split("\n"):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            # Every other part is code.
            parts = line.split("`")
            parts[::2] = [_prose(part, here, config) for part in parts[::2]]
            line = "`".join(parts)
        lines.append(line)
    return "\n".join(lines)


def _prose(text, here, config):
    text = LINK.sub(lambda link: _link(link, here, config), text)
    text = text.replace("]([", "]\\([")  # a regular expression, and no link
    return text.replace("<details>", '<details markdown="1">')


def _link(link, here, config):
    """Files that are not pages are in the repository."""
    path = posixpath.normpath(posixpath.join(here, link[2]))
    if not path.startswith("../"):
        return link[0]
    path = path[len("../") :]
    root = os.path.dirname(config.config_file_path)
    kind = "tree" if os.path.isdir(os.path.join(root, path)) else "blob"
    return f"{link[1]}{config.repo_url}/{kind}/main/{path}{link[3] or ''}{link[4]}"
