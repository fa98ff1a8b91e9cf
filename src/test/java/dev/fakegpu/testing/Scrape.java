package dev.fakegpu.testing;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parsed metrics in Prometheus' text format: families by name. */
public final class Scrape {

    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final Map<String, Family> families = new TreeMap<>();

    /**
     * The samples of a metric.
     *
     * @param labels the names of all labels, except {@code le} of histograms
     */
    public record Family(String type, Set<String> labels) {}

    /** A value with its labels. */
    public record Sample(String name, Map<String, String> labels, double value) {}

    private final String text;

    public Scrape(String text) {
        this.text = text;
        text.lines().forEach(this::read);
    }

    private void read(String line) {
        Matcher type = TYPE.matcher(line);
        if (type.matches()) {
            families.put(type.group(1), new Family(type.group(2), new TreeSet<>()));
        }
        sample(line)
                .ifPresent(sample -> family(sample.name())
                        .ifPresent(family -> sample.labels().keySet().stream()
                                .filter(label -> !label.equals("le"))
                                .forEach(family.labels()::add)));
    }

    private Optional<Family> family(String sample) {
        return Stream.of(sample, sample.replaceFirst("_(bucket|sum|count)$", ""))
                .flatMap(name -> Stream.ofNullable(families.get(name)))
                .findFirst();
    }

    private static Optional<Sample> sample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (line.startsWith("#") || !sample.matches()) {
            return Optional.empty();
        }
        var labels = new LinkedHashMap<String, String>();
        if (sample.group(2) != null) {
            LABEL.matcher(sample.group(2)).results().forEach(label -> labels.put(label.group(1), label.group(2)));
        }
        return Optional.of(new Sample(sample.group(1), labels, Double.parseDouble(sample.group(3))));
    }

    public Map<String, Family> families() {
        return families;
    }

    /** The samples with a name. */
    public Stream<Sample> samples(String name) {
        return text.lines()
                .filter(line -> line.startsWith(name))
                .flatMap(line -> sample(line).stream())
                .filter(sample -> sample.name().equals(name));
    }

    /** The sum of the samples with a name and at least these labels. */
    public double sum(String name, Map<String, String> labels) {
        return samples(name)
                .filter(sample -> sample.labels().entrySet().containsAll(labels.entrySet()))
                .mapToDouble(Sample::value)
                .sum();
    }
}
