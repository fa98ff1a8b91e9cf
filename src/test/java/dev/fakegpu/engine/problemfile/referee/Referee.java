package dev.fakegpu.engine.problemfile.referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.engine.problemfile.Oracle;
import dev.fakegpu.engine.problemfile.Shrinker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Gives the same problems to several allocators, and reports which ones they agree about, which ones they refuse, and what they get wrong.
 *
 * <p>Arguments: the file of the report; the number of random problems; the first seed; the reference's program; then for each allocator a
 * name and a command, whose words are separated by spaces, or, instead of the command, a sentence that begins with {@code !} and says why
 * the allocator is missing.
 */
final class Referee {

    private static final int PROGRESS_EVERY = 5_000;
    private static final int ARGUMENTS = 4;

    private final Problems problems = new Problems();
    private final Oracle reference;
    private final Judge judge;
    private final List<Score> scores;
    private int asked;
    private int undecided;
    private int left;

    private Referee(Oracle reference, List<Score> scores) {
        this.reference = reference;
        this.scores = scores;
        judge = new Judge(reference::ask);
    }

    public static void main(String... arguments) throws IOException {
        int random = Integer.parseInt(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        var scores = new ArrayList<Score>();
        var missing = new ArrayList<String>();
        for (int i = ARGUMENTS; i < arguments.length; i += 2) {
            if (arguments[i + 1].startsWith("!")) {
                missing.add(arguments[i] + ": " + arguments[i + 1].substring(1));
            } else {
                scores.add(new Score(new Contestant(arguments[i], Oracle.run(arguments[i + 1].split(" ")))));
            }
        }
        try (Oracle reference = Oracle.run(arguments[ARGUMENTS - 1].split(" "))) {
            var referee = new Referee(reference, scores);
            referee.problems.corpus().forEach(referee::ask);
            int corpus = referee.asked;
            for (long each = seed; referee.asked < corpus + random; each++) {
                referee.problems.random(each).ifPresentOrElse(referee::ask, () -> referee.left++);
            }
            Files.write(
                    Path.of(arguments[0]),
                    RefereeReport.lines(
                            new RefereeReport.Extent(corpus, random, seed, referee.left, referee.undecided),
                            scores,
                            missing));
        } finally {
            scores.forEach(score -> score.contestant().program().close());
        }
    }

    private void ask(ObjectNode problem) {
        // The allocators work at the same time.
        Stream.concat(
                        Stream.of(reference),
                        scores.stream().map(score -> score.contestant().program()))
                .forEach(program -> program.send(problem));
        JsonNode right = reference.receive();
        List<JsonNode> answers = scores.stream()
                .map(score -> score.contestant().program().receive())
                .toList();
        asked++;
        if (right.path("timedOut").asBoolean()) {
            undecided++;
        } else {
            for (int i = 0; i < answers.size(); i++) {
                judge(problem, right, scores.get(i), answers.get(i));
            }
        }
        if (asked % PROGRESS_EVERY == 0) {
            System.out.println("  " + asked + " problems; " + scores);
        }
    }

    private void judge(ObjectNode problem, JsonNode right, Score score, JsonNode answer) {
        Verdict verdict = judge.judge(problem, right, answer);
        score.add(problem, verdict);
        if (verdict.isWrong()) {
            smallest(problem, score, verdict).ifPresentOrElse(score::add, score::notRepeated);
        }
    }

    /** Empty if repeating the question gives another answer: some allocators search in a random order. */
    private Optional<Finding> smallest(ObjectNode problem, Score score, Verdict verdict) {
        Oracle program = score.contestant().program();
        ObjectNode smallest = new Shrinker(
                        smaller -> finding(smaller, program).verdict() == verdict && problems.isFair(smaller))
                .shrink(problem);
        Finding finding = finding(smallest, program);
        return finding.verdict() == verdict ? Optional.of(finding) : Optional.empty();
    }

    private Finding finding(ObjectNode problem, Oracle program) {
        ObjectNode usual = Problems.withFeatures(problem);
        JsonNode right = reference.ask(usual);
        JsonNode answer = program.ask(usual);
        return new Finding(judge.judge(usual, right, answer), Topics.of(usual), usual, right, answer);
    }
}
