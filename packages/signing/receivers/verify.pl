# Verifies x-service-signature. Each line of the input has four fields, separated by tabs:
# current unix time, secret, value of the header, path of a file with the raw body. Prints valid or invalid.
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256_hex);

sub same {
    my ($left, $right) = @_;
    return 0 if length $left != length $right;
    my $difference = 0;
    $difference |= ord(substr $left, $_, 1) ^ ord(substr $right, $_, 1) for 0 .. length($left) - 1;
    return $difference == 0;
}

sub verify {
    my ($now, $secret, $header, $body) = @_;
    my ($t, $signature) = map { (split /=/, $_, 2)[1] } split /,/, $header;
    return same(hmac_sha256_hex("$t.$body", $secret), $signature) && $now - $t <= 300;
}

while (my $line = <STDIN>) {
    chomp $line;
    my ($now, $secret, $header, $path) = split /\t/, $line;
    open my $file, '<:raw', $path or die "$path: $!";
    my $body = do { local $/; <$file> } // '';
    print verify($now, $secret, $header, $body) ? "valid\n" : "invalid\n";
}
