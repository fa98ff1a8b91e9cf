package dev.fakegpu.cli;

import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.engine.matrix.GroupAssignment;
import dev.fakegpu.util.TextTable;
import dev.fakegpu.util.TextWrap;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fakegpu groups}: finds compatibility groups for kinds of devices that exclude each other. */
@Command(
        name = "groups",
        mixinStandardHelpOptions = true,
        description = {
            "Find compatibility groups (KEP-5963) for kinds of devices on one counter set, so that they can be allocated together unless they"
                    + " exclude each other.",
            "If no groups can do that, because a device has at most two groups per counter set, says why.",
            "Needs no cluster."
        },
        exitCodeList = {"0:success", "1:the command line is invalid", "2:no groups express these exclusions"},
        exitCodeOnInvalidInput = ExitCode.SOFTWARE,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu groups card slice service --exclude card,slice,service",
            "  fakegpu groups foo bar baz --exclude foo,baz --exclude bar,baz"
        })
final class GroupsCommand implements Callable<Integer> {

    private static final int IMPOSSIBLE = 2;

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Parameters(
            paramLabel = "KIND",
            arity = "1..*",
            description = "The kinds of devices that consume counters of the counter set.")
    private List<String> kinds = List.of();

    @Option(
            names = "--exclude",
            paramLabel = "KINDS",
            description =
                    "Two or more kinds, separated by commas, of which only one can be in use at a time. Repeatable.")
    private List<String> exclusions = List.of();

    @Override
    public Integer call() {
        List<Set<String>> excluded = exclusions.stream()
                .map(exclusion -> (Set<String>) new LinkedHashSet<>(List.of(exclusion.split(",", -1))))
                .toList();
        check(excluded);
        PrintWriter out = spec.commandLine().getOut();
        var assignment = GroupAssignment.of(kinds, excluded);
        lines(assignment, kinds).forEach(out::println);
        List<String> tooMany = kinds.stream()
                .filter(kind -> assignment.of(kind).size() > Limits.GROUPS)
                .toList();
        tooMany.forEach(kind -> reason(kind, assignment).forEach(out::println));
        if (!tooMany.isEmpty()) {
            withoutCompatibleKinds(excluded).forEach(out::println);
        }
        out.flush();
        return tooMany.isEmpty() ? ExitCode.OK : IMPOSSIBLE;
    }

    private void check(List<Set<String>> excluded) {
        var problems = new ArrayList<String>();
        if (kinds.size() > GroupAssignment.MAX_KINDS) {
            problems.add("%d kinds: at most %d are allowed".formatted(kinds.size(), GroupAssignment.MAX_KINDS));
        }
        var seen = new LinkedHashSet<String>();
        for (String kind : kinds) {
            if (kind.length() > Limits.LABEL || !LABEL.matcher(kind).matches()) {
                problems.add(
                        "KIND \"%s\": a name of lower case letters, digits and -, with at most %d characters is allowed"
                                .formatted(kind, Limits.LABEL));
            }
            if (!seen.add(kind)) {
                problems.add("KIND \"%s\" is given twice".formatted(kind));
            }
        }
        for (int index = 0; index < excluded.size(); index++) {
            String given = exclusions.get(index);
            Set<String> exclusion = excluded.get(index);
            if (exclusion.size() < 2 || exclusion.size() < given.split(",", -1).length) {
                problems.add(
                        "--exclude \"%s\": two or more different kinds, separated by commas, are needed; counters limit how many"
                                        .formatted(given)
                                + " devices of one kind can be in use");
            }
            exclusion.stream()
                    .filter(kind -> !seen.contains(kind))
                    .forEach(kind -> problems.add("--exclude \"%s\": \"%s\" is not among the kinds %s"
                            .formatted(given, kind, String.join(", ", seen))));
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems);
        }
    }

    private static List<String> lines(GroupAssignment assignment, List<String> kinds) {
        if (assignment.groups().isEmpty()) {
            return List.of("No groups are needed: devices without groups can be allocated together.");
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("KIND", "GROUPS"));
        kinds.forEach(kind -> rows.add(List.of(kind, "[" + String.join(", ", assignment.of(kind)) + "]")));
        return TextTable.aligned(rows);
    }

    /** The proof for one kind, which is that of {@link GroupAssignment}. */
    private static List<String> reason(String kind, GroupAssignment assignment) {
        var lines = new ArrayList<String>();
        lines.add("");
        lines.addAll(TextWrap.lines(
                "",
                ("%s needs %d groups, but a device can have %d on a counter set. Each of these sets can be allocated together, and needs a"
                                + " group in common; a group for two of them would allow devices that exclude each other:")
                        .formatted(kind, assignment.of(kind).size(), Limits.GROUPS)));
        assignment.groups().stream()
                .filter(group -> group.kinds().contains(kind))
                .forEach(group -> lines.add("  " + String.join(", ", group.kinds())));
        return lines;
    }

    /** Devices that exclude nothing need no groups if only the other devices consume from a counter set that exists for the groups. */
    private List<String> withoutCompatibleKinds(List<Set<String>> excluded) {
        List<String> rest = kinds.stream()
                .filter(kind -> excluded.stream().anyMatch(exclusion -> exclusion.contains(kind)))
                .toList();
        var assignment = GroupAssignment.of(rest, excluded);
        if (rest.size() == kinds.size()
                || rest.stream().anyMatch(kind -> assignment.of(kind).size() > Limits.GROUPS)) {
            return List.of();
        }
        var free = kinds.stream().filter(kind -> !rest.contains(kind)).toList();
        return Stream.of(
                        List.of(""),
                        TextWrap.lines(
                                "",
                                ("%s excludes no other kind. Publish a second counter set from which only the other kinds consume, and give them"
                                                + " groups only there:")
                                        .formatted(String.join(", ", free))),
                        lines(assignment, rest))
                .flatMap(List::stream)
                .toList();
    }
}
