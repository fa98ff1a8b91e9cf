package dev.fakegpu.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A code block of a page.
 *
 * @param page the page, relative to the root directory of the project
 * @param line the line of the page at which the block begins, from 1
 * @param mark the content of the comment just above the block, such as {@code command}; empty if there is none
 * @param language the language, such as {@code yaml}; {@link #INDENTED} for a block that is marked only by its indentation
 * @param text the lines, each with its line break
 */
public record PageBlock(String page, int line, String mark, String language, String text) {

    public static final String INDENTED = "indented";

    /** The language of blocks in which all lines are commands, without their output. */
    public static final String COMMANDS_ONLY = "sh";

    private static final Pattern FENCE = Pattern.compile("( *)```+(\\w*)");
    private static final Pattern MARK = Pattern.compile(" *<!-- (.*) -->");
    private static final Pattern CODE = Pattern.compile(" {4,}\\S.*");
    private static final Pattern ITEM = Pattern.compile("([-*]|\\d+\\.) ");

    /** The pages for readers: those in the root directory and in {@code docs}, and beside samples, the chart and examples. */
    public static List<String> pages() {
        return Stream.concat(
                        Stream.of("README.md", "CONTRIBUTING.md"),
                        Stream.of("docs", "config", "deploy", "test-e2e").flatMap(PageBlock::pagesBelow))
                .toList();
    }

    private static Stream<String> pagesBelow(String folder) {
        Path top = ProjectFiles.resolve(folder);
        Path root = ProjectFiles.resolve("pom.xml").getParent();
        try (Stream<Path> files = Files.walk(top)) {
            return files
                    .filter(file -> file.toString().endsWith(".md"))
                    .map(file -> root.relativize(file).toString())
                    .filter(file -> !file.contains("/target/"))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The blocks of a page, in order. */
    public static List<PageBlock> of(String page) {
        List<String> lines = lines(page);
        var blocks = new ArrayList<PageBlock>();
        for (int begin = 0; begin < lines.size(); begin++) {
            Matcher fence = FENCE.matcher(lines.get(begin));
            int end = begin;
            if (fence.matches()) {
                end = endOfFence(lines, begin, fence.group(1));
                blocks.add(block(page, lines, begin, end, fence));
            } else if (isIndented(lines, begin)) {
                end = endOfIndented(lines, begin);
                blocks.add(new PageBlock(page, begin + 1, "", INDENTED, joined(lines.subList(begin, end))));
            }
            begin = end;
        }
        return List.copyOf(blocks);
    }

    /** The text of a page without its blocks. */
    public static String proseOf(String page) {
        var prose = new StringBuilder();
        boolean inBlock = false;
        for (String line : lines(page)) {
            if (FENCE.matcher(line).matches()) {
                inBlock = !inBlock;
            } else if (!inBlock) {
                prose.append(line).append('\n');
            }
        }
        return prose.toString();
    }

    public String where() {
        return page + ":" + line;
    }

    private static PageBlock block(String page, List<String> lines, int begin, int end, Matcher fence) {
        Matcher mark = MARK.matcher(begin == 0 ? "" : lines.get(begin - 1));
        String indent = fence.group(1);
        List<String> inside = lines.subList(begin + 1, end).stream()
                .map(line -> line.startsWith(indent) ? line.substring(indent.length()) : line)
                .toList();
        return new PageBlock(page, begin + 1, mark.matches() ? mark.group(1) : "", fence.group(2), joined(inside));
    }

    private static int endOfFence(List<String> lines, int begin, String indent) {
        for (int end = begin + 1; end < lines.size(); end++) {
            if (lines.get(end).equals(indent + "```")) {
                return end;
            }
        }
        throw new IllegalArgumentException("the block in line " + (begin + 1) + " does not end");
    }

    /** Whether a line follows an empty line, and is not in a list item, whose text may have the same indentation. */
    private static boolean isIndented(List<String> lines, int begin) {
        return begin > 0
                && lines.get(begin - 1).isBlank()
                && CODE.matcher(lines.get(begin)).matches()
                && !isInItem(lines, begin);
    }

    private static boolean isInItem(List<String> lines, int line) {
        return IntStream.iterate(line - 1, before -> before >= 0, before -> before - 1)
                .mapToObj(lines::get)
                .filter(before -> !before.isBlank() && !before.startsWith(" "))
                .findFirst()
                .filter(before -> ITEM.matcher(before).lookingAt())
                .isPresent();
    }

    private static int endOfIndented(List<String> lines, int begin) {
        int end = begin + 1;
        while (end < lines.size() && CODE.matcher(lines.get(end)).matches()) {
            end++;
        }
        return end;
    }

    private static String joined(List<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    private static List<String> lines(String page) {
        try {
            return Files.readAllLines(ProjectFiles.resolve(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
