/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/svm.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "core/failure.h"

namespace vmafx
{

namespace
{

constexpr size_t kMaxComponents = 1 << 20; /* of all vectors; shipped models have 1600 */

/** Splits a text at white space and counts lines. */
class Tokens
{
  public:
    explicit Tokens(std::string_view text) : rest_(text) {}

    /** The next token, empty at the end of the text. */
    std::string_view next()
    {
        skip_space(" \t\r\n");
        return take();
    }

    /** The next token of this line, empty at the line's end. */
    std::string_view next_in_line()
    {
        skip_space(" \t\r");
        return take();
    }

    /** Goes to the next line that is not empty; false at the end of the text. */
    bool next_line()
    {
        skip_space(" \t\r\n");
        return !rest_.empty();
    }

    [[noreturn]] void refuse(const std::string &what) const
    {
        fail(VMAFX_E_INVALID, "model", "line %zu of the SVM text: %s", line_, what.c_str());
    }

    double number(std::string_view token, const char *what) const
    {
        double value = 0;
        const auto result = std::from_chars(token.data(), token.data() + token.size(), value);
        if (result.ec != std::errc() || result.ptr != token.data() + token.size() ||
            !std::isfinite(value))
            refuse(format("%s is \"%s\", not a finite number", what, shorten(token).c_str()));
        return value;
    }

    size_t count(std::string_view token, const char *what) const
    {
        size_t value = 0;
        const auto result = std::from_chars(token.data(), token.data() + token.size(), value);
        if (result.ec != std::errc() || result.ptr != token.data() + token.size())
            refuse(format("%s is \"%s\", not a count", what, shorten(token).c_str()));
        return value;
    }

    static std::string shorten(std::string_view token) { return std::string(token.substr(0, 40)); }

  private:
    void skip_space(std::string_view spaces)
    {
        while (!rest_.empty() && spaces.find(rest_.front()) != std::string_view::npos) {
            line_ += rest_.front() == '\n';
            rest_.remove_prefix(1);
        }
    }

    std::string_view take()
    {
        const std::string_view token = rest_.substr(0, rest_.find_first_of(" \t\r\n"));
        rest_.remove_prefix(token.size());
        return token;
    }

    std::string_view rest_;
    size_t line_ = 1;
};

struct Header {
    std::optional<double> gamma;
    std::optional<double> rho;
    std::optional<size_t> vectors;
};

void check_word(const Tokens &tokens, const char *what, std::string_view word,
                std::initializer_list<std::string_view> supported)
{
    if (word.empty())
        tokens.refuse(format("%s has no value", what));
    for (const std::string_view known : supported)
        if (word == known)
            return;
    fail(VMAFX_E_NOTSUP, "model", "the SVM text has %s \"%s\"; this library evaluates %s", what,
         Tokens::shorten(word).c_str(), std::string(*supported.begin()).c_str());
}

/** Fields of libsvm that an RBF regression does not use, with the count of their values. */
size_t unused_values(std::string_view key)
{
    if (key == "label" || key == "nr_sv")
        return 2;
    return key == "degree" || key == "coef0" || key == "probA" || key == "probB" ? 1 : 0;
}

Header read_header(Tokens &tokens)
{
    Header header;
    for (;;) {
        const std::string_view key = tokens.next();
        if (key == "SV")
            return header;
        if (key.empty())
            tokens.refuse("the header ends without SV");
        if (key == "svm_type")
            check_word(tokens, "svm_type", tokens.next(), {"nu_svr", "epsilon_svr"});
        else if (key == "kernel_type")
            check_word(tokens, "kernel_type", tokens.next(), {"rbf"});
        else if (key == "nr_class")
            check_word(tokens, "nr_class", tokens.next(), {"2"});
        else if (key == "gamma")
            header.gamma = tokens.number(tokens.next(), "gamma");
        else if (key == "rho")
            header.rho = tokens.number(tokens.next(), "rho");
        else if (key == "total_sv")
            header.vectors = tokens.count(tokens.next(), "total_sv");
        else if (unused_values(key) == 0)
            tokens.refuse(format("unknown header field \"%s\"", Tokens::shorten(key).c_str()));
        for (size_t i = 0; i < unused_values(key); i++)
            tokens.number(tokens.next(), Tokens::shorten(key).c_str());
    }
}

/** Reads "index:value" pairs up to the end of the line. */
void read_components(Tokens &tokens, std::span<double> vector)
{
    size_t last = 0;
    for (std::string_view pair = tokens.next_in_line(); !pair.empty();
         pair = tokens.next_in_line()) {
        const size_t colon = pair.find(':');
        if (colon == std::string_view::npos)
            tokens.refuse(format("\"%s\" is not index:value", Tokens::shorten(pair).c_str()));
        const size_t index = tokens.count(pair.substr(0, colon), "an index");
        if (index <= last || index > vector.size())
            tokens.refuse(
                format("index %zu is not in rising order within 1..%zu", index, vector.size()));
        vector[index - 1] = tokens.number(pair.substr(colon + 1), "a component");
        last = index;
    }
}

} // namespace

Svm::Svm(std::string_view text, size_t dimensions) : dimensions_(dimensions)
{
    Tokens tokens(text);
    const Header header = read_header(tokens);
    if (!header.gamma || !header.rho || !header.vectors)
        tokens.refuse(format("the header lacks %s", !header.gamma ? "gamma"
                                                    : !header.rho ? "rho"
                                                                  : "total_sv"));
    gamma_ = *header.gamma;
    rho_ = *header.rho;
    const size_t count = *header.vectors;
    if (count == 0 || count > kMaxComponents / std::max<size_t>(dimensions_, 1))
        tokens.refuse(format("total_sv is %zu; at most %zu components in all are read", count,
                             kMaxComponents));
    while (coefficients_.size() < count && tokens.next_line()) {
        coefficients_.push_back(tokens.number(tokens.next_in_line(), "a coefficient"));
        vectors_.resize(vectors_.size() + dimensions_, 0.0);
        read_components(tokens, std::span(vectors_).last(dimensions_));
    }
    if (coefficients_.size() < count)
        tokens.refuse(
            format("%zu support vectors, total_sv says %zu", coefficients_.size(), count));
    if (tokens.next_line())
        tokens.refuse(format("more than the %zu support vectors of total_sv", count));
}

double Svm::evaluate(std::span<const double> x) const
{
    double sum = 0;
    const double *vector = vectors_.data();
    for (const double coefficient : coefficients_) {
        double distance = 0;
        for (size_t j = 0; j < dimensions_; j++) {
            const double difference = x[j] - vector[j];
            distance += difference * difference;
        }
        sum += coefficient * std::exp(-gamma_ * distance);
        vector += dimensions_;
    }
    return sum - rho_;
}

} // namespace vmafx
